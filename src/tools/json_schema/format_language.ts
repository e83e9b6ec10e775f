/**
 * What the texts of formats look like, as patterns. Documents name a format, and schema libraries write their own
 * pattern beside it. The pattern is that of the format if it accepts the texts that programs send for it.
 */

import type { Json } from "./json.ts";
import { matchesPattern } from "./pattern.ts";
import { isWithinPattern } from "./pattern_language.ts";

interface FormatLanguage {
  /** The pattern of the texts that programs send. */
  readonly sent: string;
  /** The pattern of the texts that have the format, if more have it than programs send. Default: `sent`. */
  readonly read?: string;
  /** Patterns of libraries that accept these texts, and that automata cannot express. */
  readonly accepting?: readonly string[];
}

const day = String
  .raw`(?:(?:\d\d[2468][048]|\d\d[13579][26]|\d\d0[48]|[02468][048]00|[13579][26]00)-02-29|\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8])))`;
const clock = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const byte = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9][0-9]|[0-9])";

/** Addresses whose parts are so long as every validator accepts, without the characters that only some accept. */
const email: FormatLanguage = {
  sent: String.raw`^[A-Za-z0-9_+-]{1,24}(?:\.[A-Za-z0-9_+-]{1,24})?@(?:${label}\.){1,3}[A-Za-z]{2,24}$`,
  accepting: [ // Zod's regexes.rfc5322Email and regexes.unicodeEmail
    String
      .raw`^(([^<>()\[\]\\.,;:\s@"]+(\.[^<>()\[\]\\.,;:\s@"]+)*)|(".+"))@((\[[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}])|(([a-zA-Z\-0-9]+\.)+[a-zA-Z]{2,}))$`,
    String.raw`^[^\s@"]{1,64}@[^\s@]{1,255}$`,
  ],
};

const languages: Readonly<Record<string, FormatLanguage>> = {
  date: { sent: `^${day}$` },
  "date-time": {
    sent: String.raw`^${day}T${clock}:[0-5]\d(?:\.\d+)?(?:Z|[+-]${clock})$`,
    accepting: [ // ArkType's string.date.iso
      String
        .raw`^([+-]?\d{4}(?!\d{2}\b))((-?)((0[1-9]|1[0-2])(\3([12]\d|0[1-9]|3[01]))?|W([0-4]\d|5[0-3])(-?[1-7])?|(00[1-9]|0[1-9]\d|[12]\d{2}|3([0-5]\d|6[1-6])))(T((([01]\d|2[0-3])((:?)[0-5]\d)?|24:?00)([,.]\d+(?!:))?)?(\17[0-5]\d([,.]\d+)?)?([Zz]|([+-])([01]\d|2[0-3]):?([0-5]\d)?)?)?)?$`,
    ],
  },
  duration: {
    sent: String
      .raw`^P(?:\d+W|(?:\d+Y(?:\d+M)?(?:\d+D)?|\d+M(?:\d+D)?|\d+D)(?:T\d+H)?|T(?:\d+H(?:\d+M)?(?:\d+S)?|\d+M(?:\d+S)?|\d+S))$`,
    accepting: [ // Zod's z.iso.duration()
      String.raw`^P(?:(\d+W)|(?!.*W)(?=\d|T\d)(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+([.,]\d+)?S)?)?)$`,
    ],
  },
  time: { sent: String.raw`^${clock}:[0-5]\d(?:\.\d+)?(?:Z|[+-]${clock})$` },
  base64: { sent: "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$" },
  base64url: { sent: "^(?:[A-Za-z0-9_-]{4})*(?:[A-Za-z0-9_-]{2,3})?$" },
  e164: { sent: String.raw`^\+[1-9]\d{6,14}$` }, // ITU-T E.164, as libraries write it
  ulid: { sent: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$" },
  nanoid: { sent: "^[A-Za-z0-9_-]{21}$" },
  cuid: { sent: "^c[0-9a-z]{24}$" },
  cuid2: { sent: "^[a-z][0-9a-z]{23}$" },
  mac: { sent: "^(?:[0-9A-F]{2}(?::[0-9A-F]{2}){5}|[0-9a-f]{2}(?::[0-9a-f]{2}){5})$" },
  cidrv4: { sent: String.raw`^(?:${byte}\.){3}${byte}/(?:[12]?[0-9]|3[0-2])$` },
  email,
  "idn-email": email,
  hostname: { sent: String.raw`^${label}(?:\.${label}){0,2}$` },
  ipv4: { sent: String.raw`^(?:${byte}\.){3}${byte}$` },
  ipv6: { sent: toIpv6() },
  uuid: { // RFC 9562; other programs send any digits
    sent: "^(?:[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}" +
      "|0{8}-0{4}-0{4}-0{4}-0{12}|f{8}-f{4}-f{4}-f{4}-f{12})$",
    read: "^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
  },
};

/** Returns the pattern of addresses of eight groups. `::` stands for one or more groups of zeros. */
function toIpv6(): string {
  const group = "[0-9a-fA-F]{1,4}";
  const shortened = [1, 2, 3, 4, 5, 6].map((before) => `(?:${group}:){1,${before}}(?::${group}){1,${7 - before}}`);
  return `^(?:(?:${group}:){7}${group}|(?:${group}:){1,7}:|${shortened.join("|")}|:(?:(?::${group}){1,7}|:))$`;
}

export function languageOf(format: string): FormatLanguage | undefined {
  return Object.hasOwn(languages, format) ? languages[format] : undefined;
}

/** Tests whether a pattern certainly accepts the texts that programs send for a format. */
export function acceptsFormat(pattern: string, format: string): boolean {
  const language = languageOf(format);
  return language !== undefined &&
    (language.accepting?.includes(pattern) === true || isWithinPattern([language.sent], pattern));
}

/** Tests whether a value is certainly a text of a format. */
export function matchesFormat(value: Json, format: string): boolean {
  const language = languageOf(format);
  return typeof value === "string" && language !== undefined && matchesPattern(language.read ?? language.sent, value);
}
