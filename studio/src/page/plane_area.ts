// The drawing of the plane: the one on which a hand draws and drags.

export { makeCanvas as makePlaneArea } from "../canvas/canvas";
