// Prints "N passed, N failed" from JUnit reports: node scripts/count_tests.mjs <exit status of the run> <report>...
// In JavaScript, so that Node can say what failed even where Deno could not be had.

import { existsSync, readFileSync } from "node:fs";
import { argv } from "node:process";

const [status, ...paths] = argv.slice(2);
const reports = paths.map((path) => existsSync(path) ? readFileSync(path, "utf8") : "");
const cases = reports.flatMap((report) => report.match(/<testcase\b[^>]*?(?:\/>|>[^]*?<\/testcase>)/g) ?? []);

const failures = cases.filter((testcase) => /<(?:failure|error)\b/.test(testcase)).length;
const skipped = cases.filter((testcase) => /<skipped\b/.test(testcase)).length;
const passed = cases.length - failures - skipped;

// A module that does not load or a failing check is in no report, and must not read as "0 failed".
const failed = status === "0" ? failures : Math.max(failures, 1);

console.log(`${passed} passed, ${failed} failed`);
