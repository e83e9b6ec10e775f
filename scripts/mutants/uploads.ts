/** Breaks the promises about uploads with XMLHttpRequest. */
import { type MutatedFile } from "./mutant.ts";

export const uploads: readonly MutatedFile[] = [
  {
    file: "src/xhr/browser_request.ts",
    tests: ["xhr/xhr_fetch_test.ts"],
    mutants: [
      {
        breaks: "xhrFetch() is for browsers",
        find: 'if (typeof XMLHttpRequest !== "undefined") return',
        replace: 'if (typeof XMLHttpRequest === "undefined") return',
      },
    ],
  },
  {
    file: "src/xhr/xhr_fetch.ts",
    tests: ["xhr/xhr_fetch_test.ts"],
    mutants: [
      { breaks: "options of xhrFetch() are known", find: "if (surplus !== undefined)", replace: "if (false)" },
      {
        breaks: "onUploadProgress is a function",
        find: 'typeof onUploadProgress !== "function"',
        replace: "false",
      },
    ],
  },
];
