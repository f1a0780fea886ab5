// The part of the page that draws models of space: it is unpacked when the first of them is opened.

export { makeView } from "../../report/src/space/view";
