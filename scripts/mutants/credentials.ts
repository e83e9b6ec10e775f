/** Breaks the promises about credentials and challenges: which spellings are accepted, and what a 401 contains. */
import { type MutatedFile } from "./mutant.ts";

export const credentials: readonly MutatedFile[] = [
  {
    file: "src/wire/credentials.ts",
    tests: ["wire/credentials_test.ts"],
    mutants: [
      {
        breaks: "a token is a token68",
        find: 'token68.test(text) ? { token: text } : "malformed"',
        replace: "({ token: text })",
      },
      {
        breaks: "a client refuses a token that is not a token68",
        find: "if (!isText(token, token68))",
        replace: "if (!isText(token, /./))",
      },
      {
        breaks: "a field of another scheme is not a credential",
        find: ".some((part) => isOfScheme(part, scheme))",
        replace: ".some(() => true)",
      },
      { breaks: "a credential in a second field is found", find: 'value.split(",")', replace: "[value]" },
      {
        breaks: "names of schemes are compared case-insensitively",
        find: "name.toLowerCase() === scheme.toLowerCase()",
        replace: "name === scheme",
      },
      { breaks: "joined fields are malformed", find: "/^[^ \\t,]+ +([^ ]+)$/", replace: "/^[^ \\t,]+ +([^ ,]+)/" },
      { breaks: "Base64 has one spelling", find: "if (btoa(binary) !== base64) return undefined;", replace: "" },
      { breaks: "Base64 holds UTF-8", find: "fatal: true", replace: "fatal: false" },
      { breaks: "a byte order mark is part of a name", find: "ignoreBOM: true", replace: "ignoreBOM: false" },
      { breaks: "the first colon splits name and password", find: "/^([^:]*):(.*)$/s", replace: "/^(.*):(.*)$/s" },
      {
        breaks: "control characters are malformed",
        find: "isText(username, basicName) && isText(password, basicPassword)",
        replace: "username !== undefined && password !== undefined",
      },
      { breaks: "a client refuses a user name with a colon", find: "/^[^:\\p{Cc}]*$/u", replace: "/^\\P{Cc}*$/u" },
      {
        breaks: "a client refuses a password with a lone surrogate",
        find: " && value.isWellFormed()",
        replace: "",
      },
      { breaks: "an empty key is not a credential", find: 'key === null || key === ""', replace: "key === null" },
      { breaks: "a client refuses a key that its field would change", find: "&& isExactFieldValue(key)", replace: "" },
      { breaks: "the same cookie twice is malformed", find: 'if (others.length > 0) return "malformed";', replace: "" },
      {
        breaks: "an empty cookie is not a credential",
        find: 'value === undefined || value === ""',
        replace: "value === undefined",
      },
      {
        breaks: "a cookie with invalid characters is malformed",
        find: 'cookieValue.test(value) ? { value } : "malformed"',
        replace: "({ value })",
      },
      {
        breaks: "cookies are matched by their whole name",
        find: "pair.startsWith(start)",
        replace: "pair.includes(start)",
      },
      {
        breaks: "a caller's own cookie wins",
        find: "cookieValues(present, cookie).length > 0 ? present :",
        replace: "false ? present :",
      },
      {
        breaks: "a caller's own token wins",
        find: "return present ?? `${scheme} ${token}`;",
        replace: "return `${scheme} ${token}`;",
      },
    ],
  },
  {
    file: "src/wire/challenges.ts",
    tests: ["wire/challenges_test.ts"],
    mutants: [
      { breaks: "quotation marks and backslashes are escaped", find: '.replaceAll(/["\\\\]/g, "\\\\$&")', replace: "" },
      { breaks: "scopes are separated by spaces", find: 'scopes.join(" ")', replace: 'scopes.join(",")' },
      { breaks: "an empty list of scopes is omitted", find: "scopes.length === 0 ? undefined : ", replace: "" },
      {
        breaks: "a challenge for an invalid token says so",
        find: "scope: joinScopes(scopes), error,",
        replace: "scope: joinScopes(scopes),",
      },
      { breaks: "a realm with control characters is refused", find: " && !/\\p{Cc}/u.test(text)", replace: "" },
      {
        breaks: "a custom challenge must be a single challenge",
        find: "isQuotable(text) && challenge.test(text)",
        replace: "isQuotable(text)",
      },
    ],
  },
];
