import { start } from "./app";
import { makeView } from "./space/view";

start(makeView);
