/** Tests of connections: the handshake, the messages of both sides, and how the server closes. */
import { messageOf } from "../../messages.ts";
import { isOptional, requirementsOf } from "../../contract/security_scheme.ts";
import type { Json } from "../json_schema/json.ts";
import { sampleBoundaries, sampleBounds } from "../json_schema/sample_boundaries.ts";
import { type Issue, summarizeIssue, toCheck } from "../../schema.ts";
import {
  type Connect,
  type OpenSocket,
  type RefusedHandshake,
  type TestHandshake,
  toTestHandshake,
} from "./connect.ts";
import { findValueMismatch } from "./content_rules.ts";
import { type Breach, type Finding, toFinding } from "./finding.ts";
import { mutate } from "./invalidate.ts";
import { drawStranger, drawValid, listSeeds, listStrangers } from "./phases.ts";
import {
  decodeMessage,
  encodeMessage,
  type Frame,
  isTextual,
  type MessageFormat,
} from "../../representation/socket.ts";
import type { TestedRoute, TestedSocket } from "./route_plan.ts";
import { toChoices } from "./run_cases.ts";
import { expired, startTimer } from "./target.ts";
import type { TestRun } from "./test_run.ts";
import type { WireRequest } from "./wire_request.ts";

const tries = 10;

/** The most valid messages, which are sent together, and the most invalid ones, each on a connection of its own. */
const mostValid = 200;
const mostInvalid = 24;

interface Conversing {
  readonly plan: TestedRoute;
  readonly socket: TestedSocket;
  readonly run: TestRun;
  readonly connect: Connecting;
  readonly handshake: TestHandshake;
  readonly request: WireRequest;
}

interface SentMessage {
  readonly frame: Frame;
  readonly reason?: string;
  readonly code?: number;
}

export async function findConnectionFindings(plan: TestedRoute, run: TestRun): Promise<Finding[]> {
  const socket = plan.socket!; // the test is not listed otherwise
  const connect = limited(await run.openConnect(), run.limit);
  const handshake = { protocols: socket.facts.protocols ?? ["json"] };
  const found = await findOpening(plan, run, connect, handshake);
  const { key } = plan.node;
  if ("missed" in found) {
    return run.reports("nothing-reached", key)
      ? [toFinding({ rule: "nothing-reached", state: found.missed }, key)]
      : [];
  }
  const place: Conversing = { plan, socket, run, connect, handshake, request: found.request };
  const breaches = [
    await findRefusedMessage(place),
    await findAcceptedMessage(place),
    await findStranger(place),
    await findForeignPage(place),
  ].filter((breach) => breach !== undefined);
  return breaches.filter(({ rule }) => run.reports(rule, key))
    .map((breach) => toFinding(breach, key, [breach.request ?? toTestHandshake(place.request, handshake)]));
}

type Connecting = (request: WireRequest, handshake: TestHandshake) => Promise<OpenSocket | RefusedHandshake>;

/** Returns a function that does not wait for a handshake that is not answered, and gives it up. */
function limited(connect: Connect, limit: number): Connecting {
  return async (request, handshake) => {
    const timer = startTimer(limit);
    try {
      const first = await Promise.race([connect(request, handshake, timer.signal), timer.expired]);
      return first === expired ? { state: `no answer came within ${limit} ms` } : first;
    } catch (error) {
      return { state: messageOf(error) };
    } finally {
      timer.stop();
    }
  };
}

async function findOpening(
  plan: TestedRoute,
  run: TestRun,
  connect: Connecting,
  handshake: TestHandshake,
): Promise<{ readonly request: WireRequest } | { readonly missed: string }> {
  const seen = new Set<string>();
  for (const start of [[], ...listSeeds(plan, "connections", run, tries)]) {
    const drawn = await drawValid(plan, run, toChoices(start));
    if (!drawn) continue;
    const opened = await connect(drawn.request, handshake);
    if (isOpen(opened)) {
      await opened.close();
      return { request: drawn.request };
    }
    seen.add(
      opened.state ?? (opened.status === undefined ? "the handshake failed" : `it was answered ${opened.status}`),
    );
  }
  const reasons = [...seen].join(", ") || "no valid request was found";
  return { missed: `no connection was opened: ${reasons}; pass what the route needs in the option values` };
}

function isOpen(opened: OpenSocket | RefusedHandshake): opened is OpenSocket {
  return "arrived" in opened;
}

async function open({ connect, request, handshake }: Conversing): Promise<OpenSocket | undefined> {
  const opened = await connect(request, handshake);
  return isOpen(opened) ? opened : undefined;
}

/** Sends valid messages, all on one connection. If it is closed, looks for the first message for which it is. */
async function findRefusedMessage(place: Conversing): Promise<Breach | undefined> {
  const messages = await listValid(place.socket);
  const together = await converse(place, messages);
  if (!together || together.rule === "body-matches") return together;
  let [fine, wrong] = [0, messages.length]; // numbers of messages: those of the first are fine, those of the second not
  while (wrong - fine > 1) {
    const middle = (fine + wrong) >> 1;
    if (await converse(place, messages.slice(0, middle))) wrong = middle;
    else fine = middle;
  }
  return await converse(place, messages.slice(fine, wrong)) ?? together;
}

/** Sends messages on a connection of their own. Returns what the server does that the contract does not allow. */
async function converse(place: Conversing, messages: readonly SentMessage[]): Promise<Breach | undefined> {
  const { socket, run } = place;
  const opened = await open(place);
  if (!opened) return undefined;
  for (const { frame } of messages) {
    if (opened.end) break;
    opened.send(frame);
  }
  await opened.settle();
  const breach = describeEnd(opened, messages, place) ?? await findSentBreach(opened, socket, run);
  await opened.close();
  return breach;
}

/** The codes by which a server says that a message was invalid (RFC 6455, section 7.4.1). */
const refusals: readonly number[] = [1002, 1003, 1007, 1009];

function describeEnd(
  { end }: OpenSocket,
  messages: readonly SentMessage[],
  { socket, run }: Conversing,
): Breach | undefined {
  if (!end) return undefined;
  const shown = messages.length === 1 ? ` after ${showFrame(messages[0]!.frame, run)}` : "";
  const reason = end.reason === "" ? "" : ` (${run.show(end.reason, 100)})`;
  const closed = `opened a connection that was closed with ${end.code}${reason}${shown}`;
  if (refusals.includes(end.code)) return { rule: "valid-refused", state: `${closed}; the contract allows it` };
  if (end.code === 1011) return { rule: "no-failure", state: `${closed}; the server failed` };
  const declared = Object.keys(socket.facts.closes);
  if (end.code < 4000 || declared.includes(String(end.code))) return undefined;
  return {
    rule: "declared-status",
    state: `${closed}; the contract declares ${declared.join(", ") || "no close codes"}`,
  };
}

async function findSentBreach(
  { arrived }: OpenSocket,
  { facts, fromServer }: TestedSocket,
  run: TestRun,
): Promise<Breach | undefined> {
  for (const frame of arrived) {
    if (frame === "" && isTextual(facts.fromServer)) continue; // a sign of life, which is no JSON
    const breach = (state: string): Breach => {
      const message = `opened a connection on which the server sent ${showFrame(frame, run)}`;
      return { rule: "body-matches", state: `${message}, which the contract does not declare: ${state}` };
    };
    if ((typeof frame === "string") !== isTextual(facts.fromServer)) {
      return breach(typeof frame === "string" ? "it is text" : "it is binary");
    }
    let value: unknown;
    try {
      value = await decodeMessage(frame, facts.fromServer);
    } catch (error) {
      return breach(`it is malformed: ${messageOf(error)}`);
    }
    const mismatch = fromServer && await findValueMismatch(fromServer, value as Json); // decoded content
    if (mismatch) return { ...breach(mismatch.state), ...(mismatch.rule && { rule: mismatch.rule }) };
  }
}

/** Sends invalid messages, each on a connection of its own, which the server must close. */
async function findAcceptedMessage(place: Conversing): Promise<Breach | undefined> {
  for (const { frame, reason, code } of await listInvalid(place)) {
    const opened = await open(place);
    if (!opened) continue;
    opened.send(frame);
    await opened.waitForEnd();
    const { end } = opened;
    await opened.close();
    const isExplained = end && end.code !== 1011; // another end may have come first
    if (isExplained) continue;
    const done = end ? `was closed with ${end.code}` : "was not closed";
    const state = `opened a connection that ${done} after ${showFrame(frame, place.run)}; ` +
      `the contract refuses it with ${code}: ${reason}`;
    return { rule: end ? "no-failure" : "invalid-accepted", state };
  }
}

async function findStranger(place: Conversing): Promise<Breach | undefined> {
  const { plan, run, connect, handshake } = place;
  const { security = [] } = plan.node;
  if (requirementsOf(security).length === 0 || isOptional(security)) return undefined;
  for (const stranger of listStrangers(plan, run)) {
    const request = await drawStranger(stranger, plan, run, toChoices([]));
    const opened = request && await connect(request, handshake);
    if (!opened || !isOpen(opened)) continue;
    await opened.close();
    const state = `opened a connection; the contract refuses it with 401: ${stranger.reason}`;
    return { rule: "needs-credentials", state, request: toTestHandshake(request, handshake) };
  }
}

const foreignOrigin = "https://foreign-page.example";

async function findForeignPage({ request, connect, handshake }: Conversing): Promise<Breach | undefined> {
  const foreign = { ...handshake, origin: foreignOrigin };
  const opened = await connect(request, foreign);
  if (!isOpen(opened)) return undefined;
  await opened.close();
  const state = "opened a connection for a page of another origin";
  return { rule: "foreign-page", state, request: toTestHandshake(request, foreign) };
}

async function listValid({ facts, fromClient }: TestedSocket): Promise<SentMessage[]> {
  const messages: SentMessage[] = [];
  const plain: readonly unknown[] = isTextual(facts.fromClient) ? ["a"] : [new Uint8Array([1, 2, 3])];
  for (const value of fromClient ? sampleBoundaries(fromClient.located) : plain) {
    if (messages.length === mostValid) break;
    if (fromClient && (await toCheck(fromClient.schema)(value)).issues) continue; // its JSON Schema accepts more
    const frame = await tryEncode(value, facts.fromClient);
    if (frame !== undefined && !isTooLong(frame, facts.maxMessageBytes)) messages.push({ frame });
  }
  return messages;
}

function isTooLong(frame: Frame, most = 65_536): boolean {
  return (typeof frame === "string" ? new TextEncoder().encode(frame).length : frame.length) > most;
}

/** Lists invalid messages: malformed ones, those of the other kind, too long ones, and values that the schema refuses. */
async function listInvalid({ plan, socket, run }: Conversing): Promise<SentMessage[]> {
  const { facts: { fromClient: format, maxMessageBytes }, fromClient } = socket;
  const isText = isTextual(format);
  const messages: SentMessage[] = [
    isText
      ? { frame: new Uint8Array([123, 125]), code: 1003, reason: "it is binary" }
      : { frame: "{}", code: 1003, reason: "it is text" },
    ...(maxMessageBytes === undefined ? [] : [{
      frame: isText ? " ".repeat(maxMessageBytes + 1) : new Uint8Array(maxMessageBytes + 1),
      code: 1009,
      reason: "it is too long",
    }]),
  ];
  if (!fromClient) return messages;
  const isDecoded = await Promise.resolve().then(() => decodeMessage("{", format)).then(() => true, () => false);
  if (isText && !isDecoded) messages.push({ frame: "{", code: 1007, reason: "it is malformed" });
  const [valid = null] = sampleBoundaries(fromClient.located);
  const seeds = listSeeds(plan, "messages", run, mostInvalid);
  const changed = seeds.flatMap((seed) => mutate(valid, fromClient.located, toChoices(seed)) ?? []);
  for (const value of [...sampleBounds(fromClient.located), ...changed]) {
    if (messages.length >= mostInvalid) break;
    const { issues } = await toCheck(fromClient.schema)(value);
    const frame = issues && await tryEncode(value, format);
    const [issue] = issues ?? [];
    if (frame === undefined || issue === undefined || isTooLong(frame, maxMessageBytes)) continue;
    messages.push({ frame, code: 1007, reason: describeIssue(issue) });
  }
  return messages;
}

async function tryEncode(value: unknown, format: MessageFormat): Promise<Frame | undefined> {
  return await Promise.resolve().then(() => encodeMessage(value, format)).catch(() => undefined);
}

function describeIssue(issue: Issue): string {
  const { pointer, message } = summarizeIssue(issue);
  return pointer === "" ? message : `${pointer}: ${message}`;
}

function showFrame(frame: Frame, { show }: TestRun): string {
  return typeof frame === "string" ? show(frame, 200) : `(${frame.length} bytes)`;
}
