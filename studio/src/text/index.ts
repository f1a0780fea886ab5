// Reading and changing the model file as text.

export * from "./elements";
export * from "./expression";
export * from "./literals";
export * from "./model_text";
export * from "./reshape";
export * from "./sketch";
export * from "./toml";
