/** Draws texts in the formats of JSON Schema and OpenAPI. */
import { type Choices, choose, chooseBetween, chooseFrom } from "./choices.ts";

const words = ["ada", "grace", "alan", "edsger", "barbara", "donald", "margaret", "dennis"];

/** Draws a word, as part of a text. */
function word(choices: Choices): string {
  return chooseFrom(choices, words);
}

function digits(choices: Choices, least: number, most: number, length = 2): string {
  return String(chooseBetween(choices, least, most)).padStart(length, "0");
}

function date(choices: Choices): string {
  const year = 2000 + choose(choices, 30);
  return `${year}-${digits(choices, 1, 12)}-${digits(choices, 1, 28)}`;
}

function clock(choices: Choices): string {
  return `${digits(choices, 0, 23)}:${digits(choices, 0, 59)}:${digits(choices, 0, 59)}`;
}

function hex(choices: Choices, length: number): string {
  return Array.from({ length }, () => choose(choices, 16).toString(16)).join("");
}

function uuid(choices: Choices): string {
  const variant = chooseFrom(choices, ["8", "9", "a", "b"]);
  return `${hex(choices, 8)}-${hex(choices, 4)}-4${hex(choices, 3)}-${variant}${hex(choices, 3)}-${hex(choices, 12)}`;
}

function hostname(choices: Choices): string {
  return chooseFrom(choices, ["example.com", "example.org", "www.example.net"]); // RFC 2606
}

function email(choices: Choices): string {
  return `${word(choices)}@example.com`;
}

function url(choices: Choices): string {
  return `https://${hostname(choices)}/${word(choices)}`;
}

function duration(choices: Choices): string {
  return chooseFrom(choices, ["PT1H", "P1D", "PT90S", "P1Y2M3DT4H5M6S", "P2W"]);
}

function base64(choices: Choices): string {
  return btoa(word(choices));
}

/** Returns texts in each format: its variants, the most common first. */
const formats: Readonly<Record<string, (choices: Choices) => readonly string[]>> = {
  "date-time": (choices) => {
    const [day, time] = [date(choices), clock(choices)];
    const fraction = digits(choices, 0, 999, 3);
    return [
      `${day}T${time}Z`,
      `${day}T${time}.${fraction}Z`,
      `${day}T${time}+01:00`,
      `${day}T${time}`,
      `${day}T${time.slice(0, 5)}`,
    ];
  },
  date: (choices) => [date(choices)],
  time: (choices) => {
    const time = clock(choices);
    return [`${time}Z`, time, time.slice(0, 5)];
  },
  duration: (choices) => [duration(choices), "PT1H"],
  email: (choices) => [email(choices)],
  "idn-email": (choices) => [email(choices)],
  hostname: (choices) => [hostname(choices)],
  "idn-hostname": (choices) => [hostname(choices)],
  ipv4: (choices) => [`192.0.2.${choose(choices, 256)}`], // RFC 5737
  ipv6: (choices) => [`2001:db8::${hex(choices, 1)}`], // RFC 3849
  uri: (choices) => [url(choices)],
  url: (choices) => [url(choices)],
  iri: (choices) => [url(choices)],
  "uri-reference": (choices) => [`/${word(choices)}`, url(choices)],
  "iri-reference": (choices) => [`/${word(choices)}`, url(choices)],
  "uri-template": (choices) => [`/${word(choices)}/{id}`],
  uuid: (choices) => [uuid(choices)],
  guid: (choices) => [uuid(choices)],
  "json-pointer": (choices) => [`/${word(choices)}`],
  "relative-json-pointer": (choices) => [`0/${word(choices)}`],
  regex: (choices) => [`^${word(choices)}$`],
  byte: (choices) => [base64(choices)],
  base64: (choices) => [base64(choices)],
  base64url: (choices) => [base64(choices).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_")],
};

/** Draws texts in a format, the most common first. Returns an empty list for an unknown format. */
export function drawFormat(format: string, choices: Choices): readonly string[] {
  const draw = Object.hasOwn(formats, format) ? formats[format] : undefined;
  return draw?.(choices) ?? [];
}
