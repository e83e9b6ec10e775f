/** Realistic texts and numbers for members with well-known names. */
import { type Choices, choose, chooseBetween, chooseFrom } from "../json_schema/choices.ts";

const people = list(
  "Ada Lovelace|Grace Hopper|Alan Turing|Edsger Dijkstra|Barbara Liskov|Donald Knuth|Margaret Hamilton|Dennis Ritchie|Frances Allen|John McCarthy",
);
const cities = list("London|Amsterdam|New York|Berlin|Lisbon|Nairobi|Osaka|Toronto");
const streets = list("Main Street|Park Avenue|Mill Lane|Station Road|High Street");
const countries = list("GB|NL|US|DE|PT|KE|JP|CA");
const companies = list("Acme|Globex|Initech|Umbrella|Hooli|Stark Industries");
const colors = list("red|orange|yellow|green|blue|purple");
const topics = list("alpha|beta|gamma|delta|news|home|work|travel|music|books");
const titles = list(
  "Write the report|Book the flights|Call the bank|Fix the bug|Water the plants|Review the draft|Plan the week",
);
const nouns = list(
  "apple|river|stone|cloud|lamp|garden|bridge|paper|window|forest|letter|harbor|mirror|candle|engine|basket",
);
const sentences = list(
  "The quick brown fox jumps over the lazy dog.|It works as it should.|Nothing to see here.|More of this tomorrow.|Please have a look when you can.",
);

function list(text: string): readonly string[] {
  return text.split("|");
}

type DrawWord<Value> = (choices: Choices) => Value;

function oneOf(words: readonly string[]): DrawWord<string> {
  return (choices) => chooseFrom(choices, words);
}

function between(least: number, most: number): DrawWord<number> {
  return (choices) => chooseBetween(choices, least, most);
}

function digits(count: number): DrawWord<string> {
  return (choices) => String(choose(choices, 10 ** count)).padStart(count, "0");
}

function name(part: number): DrawWord<string> {
  return (choices) => chooseFrom(choices, people).split(" ")[part]!;
}

function day(choices: Choices): string {
  const [month, day] = [chooseBetween(choices, 1, 12), chooseBetween(choices, 1, 28)];
  return `${chooseBetween(choices, 2023, 2026)}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}

function moment(choices: Choices): string {
  return `${day(choices)}T${String(choose(choices, 24)).padStart(2, "0")}:${
    String(choose(choices, 60)).padStart(2, "0")
  }:00Z`;
}

function page(choices: Choices): string {
  return `https://example.com/${chooseFrom(choices, nouns)}`;
}

type Find<Value> = (name: string) => DrawWord<Value> | undefined;

/** Texts by the last word of a member's name. Names that share a text are separated by spaces. */
const findText: Find<string> = byName({
  "id key": (choices) => String(chooseBetween(choices, 1, 9999)),
  "name fullname author owner": oneOf(people),
  "firstname givenname": name(0),
  "lastname surname familyname": name(1),
  "username login nickname user": (choices) => name(0)(choices).toLowerCase(),
  "email mail": (choices) => `${name(0)(choices).toLowerCase()}@example.com`,
  "phone mobile tel": (choices) => `+1 555 01${digits(2)(choices)}`, // a range reserved for fiction
  "title subject headline": oneOf(titles),
  "description summary bio text body message comment content note detail reason": oneOf(sentences),
  "url link href website homepage": page,
  "image avatar photo picture icon thumbnail": (choices) => `${page(choices)}.png`,
  "city town": oneOf(cities),
  "country": oneOf(countries),
  "street address": (choices) => `${chooseBetween(choices, 1, 99)} ${chooseFrom(choices, streets)}`,
  "zip zipcode postcode postalcode": digits(5),
  "company organization organisation vendor": oneOf(companies),
  "color colour": oneOf(colors),
  "currency": oneOf(list("EUR|USD|GBP|JPY")),
  "language lang locale": oneOf(list("en|de|fr|ja|pt")),
  "timezone": oneOf(list("Europe/London|America/New_York|Asia/Tokyo")),
  "slug": (choices) => `${chooseFrom(choices, topics)}-${chooseFrom(choices, nouns)}`,
  "tag category label topic group": oneOf(topics),
  "at time timestamp created updated modified since until": moment,
  "date day birthday": day,
  "token secret": (choices) => Array.from({ length: 16 }, () => choose(choices, 36).toString(36)).join(""),
  "version": (choices) => `${choose(choices, 4)}.${choose(choices, 10)}.${choose(choices, 10)}`,
  "file filename path": (choices) => `${chooseFrom(choices, nouns)}.txt`,
  "location": (choices) => `/${chooseFrom(choices, nouns)}`,
  "etag": (choices) => `"${choose(choices, 65536).toString(16)}"`,
});

/** Numbers by the last word of a member's name. */
const findNumber: Find<number> = byName({
  "id key": between(1, 9999),
  "age": between(18, 90),
  "year": between(1990, 2026),
  "price amount total cost balance sum": (choices) => chooseBetween(choices, 100, 20_000) / 100,
  "count quantity stock size length": between(1, 40),
  "page": between(1, 3),
  "limit": between(10, 50),
  "latitude lat": (choices) => chooseBetween(choices, -8000, 8000) / 100,
  "longitude lng lon": (choices) => chooseBetween(choices, -17900, 17900) / 100,
  "rating score stars": between(1, 5),
  "percent percentage progress": between(0, 100),
  "at time timestamp": (choices) => 1_700_000_000_000 + 60_000 * choose(choices, 1_000_000),
});

/** Returns the lookup of a table, which remembers what it found. */
function byName<Value>(table: Readonly<Record<string, DrawWord<Value>>>): Find<Value> {
  const draws = new Map(
    Object.entries(table).flatMap(([names, draw]) => names.split(" ").map((name) => [name, draw] as const)),
  );
  const known = new Map<string, DrawWord<Value> | undefined>();
  return (name) => {
    if (known.has(name)) return known.get(name);
    if (known.size > 1_000) known.clear(); // the names of a record's members are unlimited
    const key = listKeys(name).find((each) => draws.has(each));
    const draw = key === undefined ? undefined : draws.get(key);
    known.set(name, draw);
    return draw;
  };
}

/** Lists the whole name without separators, and its last word: `createdAt` is `createdat` and `at`. */
function listKeys(name: string): string[] {
  const words = name.replace(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z]+/).filter((word) => word !== "");
  return [words.join(""), words.at(-1) ?? ""].flatMap((key) => [key, key.replace(/s$/, "")]);
}

export function drawNamedText(name: string, choices: Choices): string {
  return (findText(name) ?? oneOf(nouns))(choices);
}

export function drawNamedNumber(name: string, choices: Choices): number | undefined {
  return findNumber(name)?.(choices);
}

export function drawSentence(choices: Choices): string {
  return chooseFrom(choices, sentences);
}
