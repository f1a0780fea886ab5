// Icons of the page, path data in a box of 16; those of the tools are strokes.

export const icons = {
  gallery: "M2 2.5h5v5H2zM9 2.5h5v5H9zM2 9h5v5H2zM9 9h5v5H9z",
  open: "M1.8 12.5v-9h4.4l1.4 1.7h6.6v1.5M1.8 12.5l2.2-5.8h10.6l-2.2 5.8z",
  save: "M8 2v7.5M5 6.8 8 9.8l3-3M2.5 11v2.5h11V11",
  share: "M6.6 9.4 9.4 6.6M7.2 4.6l1.6-1.6a2.6 2.6 0 0 1 4.2 4l-1.7 1.6M8.8 11.4l-1.6 1.6a2.6 2.6 0 0 1-4.2-4l1.7-1.6",
  send: "M8 10V2.2M5.2 4.8 8 2l2.8 2.8M3 8.5v5h10v-5",
  undo: "M5.5 3 2.5 6l3 3M2.8 6h6.4a4 4 0 0 1 0 7.5H6",
  redo: "M10.5 3l3 3-3 3M13.2 6H6.8a4 4 0 0 0 0 7.5H10",
  moon: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM8 3a5 5 0 0 1 0 10z",
  help: "M6 6.2a2.1 2.1 0 1 1 3 1.9c-.7.3-1 .8-1 1.5v.4M8 12.2v.6",
  play: "M4 2.5v11l9.5-5.5z",
  pause: "M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z",
  loop: "M3.2 8a4.8 4.8 0 0 1 8.3-3.3V2.6h1.5v4.7H8.3V5.8h2.2A3.3 3.3 0 0 0 4.7 8zM12.8 8a4.8 4.8 0 0 1-8.3 3.3v2.1H3V8.7h4.7v1.5H5.5A3.3 3.3 0 0 0 11.3 8z",
  text: "M2.5 3.5h11M2.5 6.5h7M2.5 9.5h11M2.5 12.5h7",
  fit: "M2 6V2h4M14 6V2h-4M2 10v4h4M14 10v4h-4",
  remove: "M4 4l8 8M12 4l-8 8",
  add: "M8 3v10M3 8h10",
} as const;
