import { start } from "./app";
import { makeView } from "./plane/view";

start(makeView);
