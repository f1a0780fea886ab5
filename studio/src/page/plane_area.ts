// The drawing of the plane.

import type { DrawingArea } from "../area";
import type { Session } from "../session";
import { makePlainArea } from "./plain_area";

export const makePlaneArea = (session: Session, host: HTMLElement): DrawingArea => makePlainArea(session, host);
