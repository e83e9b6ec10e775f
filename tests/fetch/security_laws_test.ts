/** The laws of security, for all lists, requests and callers. */
import { defineContract, request, response, route, security } from "@scope/api";
import { createFetchHandler, type ErrorReport, type FetchHandler } from "@scope/api/fetch";
import { defineServer, verify } from "@scope/api/server";
import { assert, assertEquals } from "@std/assert";
import { type } from "arktype";
import fc from "fast-check";
import { tries } from "../support/tries.ts";
import { parseChallenges } from "../support/parse_challenges.ts";

fc.configureGlobal(tries(400));

const allScopes = ["a", "b", "c"] as const;
const realmText = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) });
const names = ["token", "basic", "session", "key", "custom"] as const;

/** A scheme of a list, by its name. */
type Name = typeof names[number];

/** The part of a request that belongs to a scheme. */
type Shown = "absent" | "good" | "bad" | "malformed";

interface Declared {
  readonly list: readonly Name[];
  readonly isOptional: boolean;
  readonly required: readonly string[];
  readonly realm: string;
  readonly method: "get" | "post";
}

interface Sent {
  readonly shown: Readonly<Record<Name, Shown>>;
  readonly granted: readonly string[];
  readonly isForeign: boolean;
  readonly body: string;
  /** Which characters of the path are escaped. */
  readonly escaped: readonly boolean[];
}

const declared: fc.Arbitrary<Declared> = fc.record({
  list: fc.shuffledSubarray([...names], { minLength: 1 }),
  isOptional: fc.boolean(),
  required: fc.subarray([...allScopes]),
  realm: realmText,
  method: fc.constantFrom("get", "post"),
});

const state = fc.constantFrom<Shown[]>("absent", "absent", "good", "bad", "malformed");
const sent: fc.Arbitrary<Sent> = fc.record({
  shown: fc.record({ token: state, basic: state, session: state, key: state, custom: state }),
  granted: fc.subarray([...allScopes]),
  isForeign: fc.boolean(),
  body: fc.string(),
  escaped: fc.array(fc.boolean(), { maxLength: 8 }),
});

/** Text that is part of every credential, and of no response. */
const canary = "c4n4ry";

/** The fields of a request: of token and basic one at most is sent, for they share a field. */
function headersOf({ shown, isForeign }: Sent): Record<string, string> {
  const { token, basic, session, key, custom } = shown;
  return {
    ...basic !== "absent" && {
      authorization: {
        good: `Basic ${btoa(`good:${canary}`)}`,
        bad: `Basic ${btoa(`bad:${canary}`)}`,
        malformed: `Basic ${canary}`,
      }[basic],
    },
    ...token !== "absent" && {
      authorization:
        { good: `Bearer good-${canary}`, bad: `Bearer bad-${canary}`, malformed: `Bearer ${canary} ${canary}` }[token],
    },
    ...session !== "absent" && {
      cookie: {
        good: `other=1; session=good-${canary}`,
        bad: `session=bad-${canary}`,
        malformed: `session=good-${canary}; session=${canary}`,
      }[session],
    },
    ...key !== "absent" && { "x-key": `${key === "good" ? "good" : "bad"}-${canary}` },
    ...custom !== "absent" && { "x-custom": `${custom === "good" ? "good" : "bad"}-${canary}` },
    ...isForeign && { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
    "content-type": "application/json",
  };
}

/** The design's expectation: the status, and the scheme whose verifier is called. */
function predict({ list, isOptional, required, method }: Declared, request: Sent): readonly [number, Name | undefined] {
  const shown = { ...request.shown, ...(request.shown.token !== "absent" && { basic: "absent" as const }) };
  const first = list.find((name) => name !== "custom" && shown[name] !== "absent");
  const decides = first ?? (list.includes("custom") ? "custom" : undefined);
  if (decides === undefined) return [isOptional ? 200 : 401, undefined];
  const isAmbient = decides === "basic" || decides === "session";
  if (isAmbient && method === "post" && request.isForeign) return [403, undefined];
  const isAsked = shown[decides] !== "malformed" || decides === "key" || decides === "custom";
  const asked = isAsked ? decides : undefined;
  if (shown[decides] !== "good") {
    return [isOptional && (decides === "session" || decides === "custom") ? 200 : 401, asked];
  }
  if (decides !== "token") return [200, asked];
  return [required.every((scope) => request.granted.includes(scope)) ? 200 : 403, asked];
}

/** The events while a request was handled. */
interface Happened {
  readonly verified: [name: string, caller: object | undefined][];
  readonly callers: unknown[];
  readonly touched: string[];
}

function mount(
  { list, isOptional, required, realm, method }: Declared,
  granted: readonly string[],
  happened: Happened,
): { readonly handler: FetchHandler; readonly heard: readonly ErrorReport[] } {
  const { verified, callers, touched } = happened;
  const schemes = {
    token: security.bearer("token", { scopes: allScopes, realm }),
    basic: security.basic("basic", { realm }),
    session: security.cookie("session", { cookie: "session", realm }),
    key: security.apiKey("key", { header: "x-key" }),
    custom: security.custom("custom", { challenge: 'Custom a="b, c"', openapi: {} }),
  };
  const [first, ...others] = required as readonly (typeof allScopes[number])[];
  const entries = list.map((name) =>
    name === "token" && first !== undefined ? schemes.token.scoped(first, ...others) : schemes[name]
  );
  const slots = {
    security: [...entries, ...isOptional ? [security.none] : []],
    query: type({ "n?": "string" }).pipe((query) => (touched.push("schema"), query)),
    responses: { 200: response.text() },
  };
  const body = request.json(type("unknown").pipe((body) => (touched.push("schema"), body)));
  const it = method === "get" ? route.get("/it/now", slots) : route.post("/it/now", { ...slots, body });
  const contract = defineContract({ routes: { it } });
  const say = (name: Name, text: string) => {
    const caller = text.startsWith("good") ? { name, scopes: granted } : undefined;
    verified.push([name, caller]);
    return caller;
  };
  const verifiers = {
    token: verify(schemes.token, ({ token }) => say("token", token)),
    basic: verify(schemes.basic, ({ username }) => say("basic", username)),
    session: verify(schemes.session, async ({ value }) => await say("session", value)),
    key: verify(schemes.key, ({ key }) => say("key", key)),
    custom: verify(schemes.custom, ({ request }) => say("custom", request.headers.get("x-custom") ?? "")),
  };
  const server = defineServer(contract, {
    security: list.map((name) => verifiers[name]),
    context: () => (touched.push("context"), {}),
  } as never) as unknown as ReturnType<typeof defineServer<typeof contract>>;
  const heard: ErrorReport[] = [];
  const handler = createFetchHandler(
    server.use(({ next }) => (touched.push("middleware"), next())).implement({
      it: (input: { readonly caller?: unknown }) => {
        callers.push(input.caller);
        touched.push("handler");
        return { status: 200, body: "let in" };
      },
    } as never),
    { onError: (report) => void heard.push(report) },
  );
  return { handler, heard };
}

function spell(path: string, escaped: readonly boolean[]): string {
  return Array.from(
    path,
    (character, at) => escaped[at] && character !== "/" ? `%${character.charCodeAt(0).toString(16)}` : character,
  ).join("");
}

/** A request, and how often its body was pulled. */
function toRequest(sent: Sent, { method }: Declared, body: string): { request: Request; pulls: () => number } {
  let pulls = 0;
  const stream = new ReadableStream({
    pull(controller): void {
      pulls++;
      controller.enqueue(new TextEncoder().encode(body));
      controller.close();
    },
  }, { highWaterMark: 0 });
  const init = { method: method.toUpperCase(), headers: headersOf(sent), ...method === "post" && { body: stream } };
  return { request: new Request(`http://localhost${spell("/it/now", sent.escaped)}`, init), pulls: () => pulls };
}

// proves promises | On a route with security, the handler runs only after exactly one verifier of the route returned a
//   caller
Deno.test("security accepts exactly the callers that the design accepts, and runs at most one verifier", async () => {
  await fc.assert(fc.asyncProperty(declared, sent, async (declared, sent) => {
    const happened: Happened = { verified: [], callers: [], touched: [] };
    const { handler, heard } = mount(declared, sent.granted, happened);
    const { request } = toRequest(sent, declared, "{}");
    const answer = await handler(request);
    const [status, asked] = predict(declared, sent);
    assertEquals([answer.status, happened.verified.map(([name]) => name)], [
      status,
      asked === undefined ? [] : [asked],
    ]);
    assertEquals(happened.callers.length, status === 200 ? 1 : 0);
    // law 1: the handler ran, so one verifier was called, of the route, and gave the caller
    if (status === 200 && !declared.isOptional) {
      const [[name, caller] = []] = happened.verified;
      assert(declared.list.includes(name as Name) && caller !== undefined && caller === happened.callers[0]);
    }
    if (status === 200 && happened.verified.length === 0) assertEquals(happened.callers, [undefined]);
    // law 6: no credential is in an answer
    const text = await answer.text();
    assert(!`${text} ${JSON.stringify([...answer.headers])}`.includes(canary));
    assertEquals(heard, []);
  }));
});

/** Text that a field can carry and that resembles credentials. */
const fieldText = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f).map(String.fromCharCode) }),
  fc.array(
    fc.constantFrom(
      "Bearer",
      "bearer",
      "Basic",
      "basic",
      " ",
      "\t",
      ",",
      ";",
      "=",
      "session",
      "good",
      "Z29vZDph",
      '"',
      "é",
    ),
    { maxLength: 8 },
  ).map((parts) => parts.join("")),
);

Deno.test("a request with any fields is accepted or refused after at most one verifier", async () => {
  const fields = fc.record({ authorization: fieldText, cookie: fieldText, "x-key": fieldText, "x-custom": fieldText }, {
    requiredKeys: [],
  });
  await fc.assert(fc.asyncProperty(declared, fields, async (declared, fields) => {
    const happened: Happened = { verified: [], callers: [], touched: [] };
    const { handler, heard } = mount(declared, declared.required, happened);
    const body = declared.method === "post" ? "{}" : null;
    const headers = { ...fields as Record<string, string>, "content-type": "application/json" };
    const answer = await handler(
      new Request("http://localhost/it/now", { method: declared.method.toUpperCase(), headers, body }),
    );
    await answer.body?.cancel();
    assert(answer.status === 200 || answer.status === 401, String(answer.status));
    assert(happened.verified.length <= 1);
    assertEquals(heard, []);
    const [caller] = happened.callers;
    if (answer.status === 401) assertEquals(happened.callers, []);
    else assert(caller === happened.verified[0]?.[1] && (caller !== undefined || declared.isOptional));
  }));
});

// proves promises | Without a valid credential, the request is not read, and the response is the same for every body
Deno.test("without a valid credential the body is not read, and the response is the same for every body", async () => {
  await fc.assert(fc.asyncProperty(declared, sent, async (declared, sent) => {
    const secured = { ...declared, isOptional: false };
    if (predict(secured, sent)[0] === 200) return;
    const answers: unknown[] = [];
    for (const body of [sent.body, "{}", ""]) {
      const happened: Happened = { verified: [], callers: [], touched: [] };
      const { handler } = mount(secured, sent.granted, happened);
      const { request, pulls } = toRequest(sent, secured, body);
      const answer = await handler(request);
      assertEquals([pulls(), request.bodyUsed, happened.touched, happened.callers], [0, false, [], []]);
      answers.push([answer.status, [...answer.headers], await answer.text()]);
    }
    assertEquals(answers[1], answers[0]);
    assertEquals(answers[2], answers[0]);
  }));
});

// proves http | A 401 has at least one challenge that applies | 11.6.1, 15.5.2
Deno.test("each 401 has one challenge for each scheme of the route, and parses as such", async () => {
  const schemes = { token: "Bearer", basic: "Basic", session: "Cookie", key: "ApiKey", custom: "Custom" };
  await fc.assert(fc.asyncProperty(declared, sent, async (declared, sent) => {
    const { handler } = mount(declared, sent.granted, { verified: [], callers: [], touched: [] });
    const answer = await handler(toRequest(sent, declared, "{}").request);
    await answer.body?.cancel();
    if (answer.status !== 401) return;
    const challenges = parseChallenges(answer.headers.get("www-authenticate")!);
    assertEquals(
      challenges.map(({ scheme }) => scheme).toSorted(),
      declared.list.map((name) => schemes[name]).toSorted(),
    );
    for (const { scheme, parameters } of challenges) {
      if (scheme !== "ApiKey" && scheme !== "Custom") assertEquals(parameters.realm, declared.realm);
      assertEquals(parameters.error !== undefined && scheme !== "Bearer", false);
    }
  }));
});

// proves promises | Concurrent callers never receive each other's responses
Deno.test("a thousand interleaved callers each receive their own response", async () => {
  const token = security.bearer("token", { scopes: ["even"] });
  const session = security.cookie("session", { cookie: "session" });
  const contract = defineContract({
    security: [token, session],
    routes: {
      all: route.get("/all/:id", { responses: { 200: response.text() } }),
      even: route.get("/even/:id", { security: [token.scoped("even")], responses: { 200: response.text() } }),
    },
  });
  const pause = (id: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, (id * 7919) % 13));
  const find = async (text: string) => {
    const id = Number(text);
    if (id % 3 > 0) await pause(id);
    return id % 5 === 0 ? null : { id, scopes: id % 2 === 0 ? ["even"] : [] };
  };
  const server = defineServer(contract, {
    security: [verify(token, ({ token }) => find(token)), verify(session, ({ value }) => find(value))],
    context: async ({ caller }) => {
      await pause(caller.id + 1);
      return { id: caller.id };
    },
  }).guard(({ caller }) => pause(caller.id + 2)).use(async ({ caller, next }) => {
    await pause(caller.id + 3);
    return next({ seen: caller.id });
  });
  const answer = (ids: readonly number[]) => ({ status: 200, body: ids.join() }) as const;
  const handler = createFetchHandler(server.implement({
    all: ({ caller, context }) => answer([caller.id, context.id, context.seen]),
    even: ({ caller, context }) => answer([caller.id, context.id, context.seen]),
  }));
  const ask = async (id: number): Promise<void> => {
    const key = id % 7 === 0 ? "even" : "all";
    const headers: HeadersInit = id % 4 === 1 && key === "all"
      ? { cookie: `session=${id}` }
      : { authorization: `Bearer ${id}` };
    const answer = await handler(new Request(`http://localhost/${key}/${id}`, { headers }));
    const expected = id % 5 === 0 ? 401 : key === "even" && id % 2 === 1 ? 403 : 200;
    assertEquals([id, answer.status], [id, expected]);
    const text = await answer.text();
    if (expected === 200) assertEquals(text, [id, id, id].join());
  };
  await Promise.all(Array.from({ length: 1_000 }, (_, id) => ask(id)));
});
