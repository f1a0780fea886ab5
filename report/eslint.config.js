import js from "@eslint/js";
import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "node_modules/"] },
  {
    files: ["src/**/*.ts", "build/*.ts", "vite.config.ts"],
    extends: [js.configs.recommended, ...tseslint.configs.strict],
    rules: {
      eqeqeq: "error",
      "no-restricted-properties": ["error", { property: "innerHTML" }, { property: "outerHTML" }],
      "no-restricted-syntax": ["error", { selector: "CallExpression[callee.property.name='insertAdjacentHTML']", message: "names in a report are text, never markup" }],
      "max-lines": ["error", { max: 320, skipBlankLines: true }],
    },
  },
  {
    // Parts of the tests run in the page.
    files: ["tests/*.mjs"],
    extends: [js.configs.recommended],
    languageOptions: { globals: Object.fromEntries(["atob", "Blob", "console", "document", "Event", "getComputedStyle", "Image", "ImageDecoder", "OffscreenCanvas", "performance", "process", "URL", "window"].map((name) => [name, "readonly"])) },
    rules: { eqeqeq: "error" },
  },
);
