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

function base64(choices: Choices): string {
  return btoa(word(choices));
}

/** Returns texts in a format, the most common first. */
type Formatter = (choices: Choices) => readonly string[];

/** Returns the texts of a format that has one variant. */
function one(draw: (choices: Choices) => string): Formatter {
  return (choices) => [draw(choices)];
}

const reference: Formatter = (choices) => [`/${word(choices)}`, url(choices)];

const formats: Readonly<Record<string, Formatter>> = {
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
  date: one(date),
  time: (choices) => {
    const time = clock(choices);
    return [`${time}Z`, time, time.slice(0, 5)];
  },
  duration: (choices) => [chooseFrom(choices, ["PT1H", "P1D", "PT90S", "P1Y2M3DT4H5M6S", "P2W"]), "PT1H"],
  email: one(email),
  "idn-email": one(email),
  hostname: one(hostname),
  "idn-hostname": one(hostname),
  ipv4: one((choices) => `192.0.2.${choose(choices, 256)}`), // RFC 5737
  ipv6: one((choices) => `2001:db8::${hex(choices, 1)}`), // RFC 3849
  uri: one(url),
  url: one(url),
  iri: one(url),
  "uri-reference": reference,
  "iri-reference": reference,
  "uri-template": one((choices) => `/${word(choices)}/{id}`),
  uuid: one(uuid),
  guid: one(uuid),
  "json-pointer": one((choices) => `/${word(choices)}`),
  "relative-json-pointer": one((choices) => `0/${word(choices)}`),
  regex: one((choices) => `^${word(choices)}$`),
  byte: one(base64),
  base64: one(base64),
  base64url: one((choices) => base64(choices).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_")),
};

/** Draws texts in a format, the most common first. Returns an empty list for an unknown format. */
export function drawFormat(format: string, choices: Choices): readonly string[] {
  return Object.hasOwn(formats, format) ? formats[format]!(choices) : [];
}
