/** What the profile `foreign` tolerates: a server that someone else wrote promises only what its document says. */
import type { RouteNode } from "../../contract/node.ts";
import { isJsonObject, type Json, type JsonObject } from "../json_schema/json.ts";
import type { LocatedSchema } from "../json_schema/locate.ts";
import { normalize } from "../json_schema/normalize.ts";
import { itemSchemas, knownNames, memberSchemas, type Shape } from "../json_schema/shapes.ts";
import { limitSteps, StepLimitError, usualSteps } from "../json_schema/steps.ts";
import { isInstance } from "../../mark.ts";
import { formatStep } from "../../schema.ts";
import { type Breach, rules } from "./finding.ts";
import { createLocator } from "./known.ts";
import { parseBody, pathOf, type WireRequest } from "./wire_request.ts";

/**
 * Tests whether a breach is only a hint about a server that someone else wrote. `isMalformed` says that its request
 * violates HTTP rather than the document. A failure is never a hint.
 */
export function isHint({ rule, isHint = false }: Breach, isMalformed: boolean): boolean {
  return isHint || rules[rule] === "package" || (isMalformed && rule !== "no-failure");
}

export function isReading(method: string): boolean {
  return method === "GET" || method === "HEAD";
}

/**
 * Returns a function that tests whether a request may be sent to the server of others: GET and HEAD always. With
 * `mutates`, any other method must be declared for exactly this path, and the path must mean the same on every server,
 * however it decodes.
 */
export function createGuard(
  nodes: readonly RouteNode[],
  { baseUrl, mutates }: { readonly baseUrl: string; readonly mutates: boolean },
): (request: WireRequest) => boolean {
  const { locate } = createLocator(nodes, baseUrl);
  return ({ method, path }) => {
    if (isReading(method)) return true;
    return mutates && !ambiguous.test(pathOf(path)) &&
      locate(pathOf(path)).some(({ node }) => node.method === method);
  };
}

/** What some servers read as another path: encoded separators, dots and controls, empty segments, parameters. */
const ambiguous = /%2f|%5c|%2e|%3b|%[01]|%7f|\/\/|\/\.{1,2}(?:\/|$)|[\\;]/i;

/**
 * Tests whether a refused request may name a thing that does not exist: one of its values is unlike those of all accepted
 * requests, which are all of things that exist.
 */
export function mayRefer(refused: WireRequest, accepted: readonly WireRequest[], known: ReadonlySet<string>): boolean {
  const others = accepted.map(readFields);
  return [...readFields(refused)].some(([name, text]) => {
    const taken = new Set(others.flatMap((fields) => fields.get(name) ?? []));
    return taken.size > 0 && !taken.has(text) && [...taken].every((each) => known.has(each));
  });
}

function readFields({ path, body }: WireRequest): ReadonlyMap<string, string> {
  const query = new URLSearchParams(path.slice(pathOf(path).length));
  const members = Object.entries(Object(parseBody(body))).filter(([, value]) =>
    ["string", "number"].includes(typeof value)
  );
  return new Map([...query, ...members.map(([name, value]) => [name, String(value)] as const)]);
}

const secretNames: ReadonlySet<string> = new Set(
  ("password passwd pwd passphrase passcode secret salt ssn cvv cvc otp token api_key private_key secret_key " +
    "access_token refresh_token reset_token session_token auth_token id_token card_number credit_card").split(" "),
);

/** Tests whether a name is that of a secret, or ends with it: `userPassword`, `password_hash`. */
function isSecretName(name: string): boolean {
  const words = name.slice(0, 100).replaceAll(/([a-z\d])([A-Z])/g, "$1_$2").toLowerCase().split(/[_\s-]/);
  if (["hash", "hashed", "digest", "encrypted"].includes(words.at(-1) ?? "")) words.pop();
  const [last = "", before = ""] = words.toReversed();
  const isToken = last === "token" && words.length > 1; // such as that of the next page
  return secretNames.has(`${before}_${last}`) || (secretNames.has(last) && !isToken);
}

/**
 * Returns the breach of a value that its schema accepts: members that an open schema does not describe, though it
 * describes others, and texts without their format. Members are a hint, unless one has the name of a secret.
 */
export function findUndescribed(
  schema: LocatedSchema,
  value: Json,
): Pick<Breach, "rule" | "state" | "isHint"> | undefined {
  const found = new Map<string, Undescribed>(); // by their names alone: one item of a list stands for all
  const isRead = withinSteps(() => {
    for (const each of listUndescribed({ alternatives: [[schema]], value, path: [] })) {
      const key = each.path.filter((step) => !/^\d+$/.test(step)).join("/");
      if (!found.has(key)) found.set(key, each);
      if (found.size === mostListed) break;
    }
    return true;
  });
  if (!isRead) return undefined;
  const members = [...found.values()].filter(({ format }) => format === undefined);
  const secret = members.filter(({ path }) => isSecretName(path.at(-1) ?? ""));
  const wrong = [...found.values()].find(({ format }) => format !== undefined);
  if (secret.length === 0 && wrong) {
    const place = wrong.path.map(formatStep).join("") || "it";
    return { rule: "body-matches", state: `${place} does not have the format ${wrong.format}` };
  }
  const listed = secret.length > 0 ? secret : members;
  if (listed.length === 0) return undefined;
  const names = listed.slice(0, mostNamed).map(({ path }) => path.map(formatStep).join("")).join(", ");
  const state = `${names} ${listed.length === 1 ? "is" : "are"} not described`;
  return { rule: "undeclared-members", state, isHint: secret.length === 0 };
}

/** The place of a member that no schema describes, or of a text that does not have its format. */
interface Undescribed {
  readonly path: readonly string[];
  readonly format?: string;
}

/** What every text of a format is like, whatever library reads it. Others are not checked. */
const formats: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  "date-time": /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/,
  email: /^[^]+@[^\s@]+$/,
  uuid: /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i,
  ipv4: /^\d{1,3}(?:\.\d{1,3}){3}$/,
};

/** Returns the format that a text must have, whichever schema it has, and does not. */
function findWrongFormat(text: string, shapes: readonly Shape[]): string | undefined {
  const wrong = shapes.filter((shape) => shape.type === "string").map((shape) =>
    shape.formats.find((format) => Object.hasOwn(formats, format) && !formats[format]!.test(text.slice(0, 1_000)))
  );
  return wrong.includes(undefined) ? undefined : wrong[0];
}

const [mostListed, mostNamed] = [100, 8];

/** Returns the result of a computation with schemas of others; `undefined` if it takes too many steps. */
export function withinSteps<Result>(run: () => Result): Result | undefined {
  try {
    return limitSteps(usualSteps, run);
  } catch (error) {
    if (!isInstance(error, StepLimitError)) throw error;
    return undefined;
  }
}

/** Returns the path of the first member with the name of a secret, in a value that is not described. */
function findSecret(value: Json | undefined, path: readonly string[]): readonly string[] | undefined {
  if (isSecretName(path.at(-1) ?? "")) return path;
  if (typeof value !== "object" || value === null || path.length > mostDeep) return undefined;
  for (const [name, member] of Object.entries(value).slice(0, mostListed)) {
    const found = findSecret(member, [...path, name]);
    if (found) return found;
  }
}

const mostDeep = 20;

/** A part of a value, with the schemas that it may have: each list is one of several, all of whose schemas apply. */
interface DescribedPart {
  readonly alternatives: readonly (readonly LocatedSchema[])[];
  readonly value: Json;
  readonly path: readonly string[];
}

/** Lists the paths of undescribed members. Lists repeat themselves, so only their first items are read. */
function* listUndescribed({ alternatives, value, path }: DescribedPart): Generator<Undescribed> {
  if ((typeof value !== "object" && typeof value !== "string") || value === null || path.length > mostDeep) return;
  if (alternatives.length === 0 || alternatives.length > mostAlternatives) return;
  const shapes = alternatives.flatMap((schemas) => schemas.length > 0 ? normalize(schemas) : []);
  if (typeof value === "string") {
    const format = findWrongFormat(value, shapes);
    if (format !== undefined) yield { path, format };
    return;
  }
  if (isJsonObject(value)) return yield* listMembers(shapes, value, path);
  const lists = shapes.filter((shape) => shape.type === "array");
  for (const [index, item] of (value as readonly Json[]).slice(0, 20).entries()) {
    const below = lists.map((shape) => itemSchemas(shape, index));
    if (below.some((schemas) => schemas.length === 0)) return; // any items
    yield* listUndescribed({ alternatives: below, value: item, path: [...path, String(index)] });
  }
}

/** The most schemas that a part may have. A larger union says little about its members. */
const mostAlternatives = 200;

function* listMembers(shapes: readonly Shape[], value: JsonObject, path: readonly string[]): Generator<Undescribed> {
  const objects = shapes.filter((shape) => shape.type === "object");
  const isDescribed = objects.length > 0 && objects.every((shape) => knownNames(shape).length > 0);
  if (!isDescribed) return; // any members, as a map has them
  for (const [name, member] of Object.entries(value)) {
    const below = objects.map((shape) => memberSchemas(shape, name)).filter((schemas) => schemas.length > 0);
    const isRequired = objects.some(({ required }) => required.has(name));
    if (below.length === 0 && !isRequired) yield { path: findSecret(member, [...path, name]) ?? [...path, name] };
    else yield* listUndescribed({ alternatives: below, value: member, path: [...path, name] });
  }
}
