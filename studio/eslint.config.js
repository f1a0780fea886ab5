import js from "@eslint/js";
import tseslint from "typescript-eslint";

const inPage = ["atob", "Blob", "btoa", "console", "createImageBitmap", "DataTransfer", "document", "Event", "fetch", "File", "getComputedStyle", "localStorage", "location", "navigator", "OffscreenCanvas", "performance", "process", "requestAnimationFrame", "setTimeout", "URL", "window"];

export default tseslint.config(
  { ignores: ["dist/", "node_modules/", "engine/"] },
  {
    files: ["src/**/*.ts", "build/*.ts", "vite.config.ts"],
    extends: [js.configs.recommended, ...tseslint.configs.strict],
    rules: {
      eqeqeq: "error",
      "no-restricted-properties": ["error", { property: "innerHTML" }, { property: "outerHTML" }],
      "no-restricted-syntax": ["error", { selector: "CallExpression[callee.property.name='insertAdjacentHTML']", message: "names in a model are text, never markup" }],
      "max-lines": ["error", { max: 600, skipBlankLines: true }],
    },
  },
  {
    // Parts of the tests run in the page.
    files: ["tests/*.mjs"],
    extends: [js.configs.recommended],
    languageOptions: { globals: Object.fromEntries(inPage.map((name) => [name, "readonly"])) },
    rules: { eqeqeq: "error" },
  },
);
