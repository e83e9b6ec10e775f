/** The options of every declaring call: plain objects of known keys. */
import { codec, defineContract, request, response, route, router } from "@scope/api";
import { assert, assertEquals, assertFalse, assertThrows } from "@std/assert";
import { type } from "arktype";
import { assertRefused } from "../support/assert_refused.ts";

const responses = { 200: response.empty() };
const routes = { health: route.get("/health", { responses }) };
const functions = { decode: (text: string) => text, encode: (text: string) => text };
const text = type("string");

type Declare = (...given: readonly unknown[]) => unknown;

/** Every call that takes options, where they come `after` what, what is required of them, and the keys it knows. */
const declaring: readonly {
  readonly name: string;
  readonly what?: string;
  readonly after?: string;
  readonly declare: (options: never) => unknown;
  readonly required?: object;
  readonly allowed: string;
}[] = [
  {
    name: 'route.get("/here")',
    declare: (options) => route.get("/here", options),
    required: { responses },
    allowed: "params, query, headers, trailingSlash, responses, refusals, security, deprecated, docs",
  },
  {
    name: 'route.put("/here")',
    declare: (options) => route.put("/here", options),
    required: { responses },
    allowed: "params, query, headers, body, trailingSlash, responses, refusals, security, deprecated, docs",
  },
  {
    name: 'router("/here")',
    declare: (options) => router("/here", options),
    required: { routes },
    allowed: "routes, responses, refusals, security, deprecated, docs",
  },
  {
    name: "defineContract()",
    declare: (options) => defineContract(options),
    required: { routes },
    allowed: "basePath, routes, webhooks, responses, refusals, security, deprecated, docs",
  },
  {
    name: "codec()",
    declare: (options) => codec(text, text, options),
    required: functions,
    allowed: "decode, encode",
  },
  ...(["json", "text", "bytes"] as const).flatMap((kind) => {
    const [ofRequest, ofResponse] = [request[kind], response[kind]] as unknown as [Declare, Declare];
    const [forRequests, forResponses] = [
      "contentType, description, maxBytes, optional",
      "contentType, headers, description",
    ] as const;
    return [
      { name: `request.${kind}()`, declare: ofRequest, allowed: forRequests },
      {
        name: `request.${kind}()`,
        after: " after a schema",
        declare: (options: never) => ofRequest(text, options),
        allowed: forRequests,
      },
      { name: `response.${kind}()`, declare: ofResponse, allowed: forResponses },
      {
        name: `response.${kind}()`,
        after: " after a schema",
        declare: (options: never) => ofResponse(text, options),
        allowed: forResponses,
      },
    ];
  }),
  {
    name: "request.form()",
    after: " after a schema",
    declare: (options) => request.form(type({ text }), options),
    allowed: "contentType, description, maxBytes, optional",
  },
  { name: "request.formData()", declare: request.formData, allowed: "description, maxBytes, optional" },
  {
    name: "request.formData()",
    after: " after a schema",
    declare: (options) => request.formData(type({ text }), options),
    allowed: "description, maxBytes, optional",
  },
  { name: "request.stream()", declare: request.stream, allowed: "contentType, description, maxBytes, optional" },
  { name: "response.empty()", declare: response.empty, allowed: "headers, description" },
];

for (const { name, what, after = "", declare, required, allowed } of declaring) {
  const of = what === undefined ? "" : ` of ${what}`;
  const within = what === undefined ? "" : ` in "${what}"`;

  Deno.test(`${name} refuses an unknown option${of}${after} and suggests the nearest`, () => {
    const known = allowed.split(", ");
    for (const key of known) {
      const misspelt = `${key.slice(0, -2)}${key.at(-1)}`; // one letter too few
      const options = { ...required, [misspelt]: undefined } as never;
      assertRefused(
        () => declare(options),
        `${name}: unknown option "${misspelt}"${within}; did you mean "${key}"? (allowed: ${allowed})`,
      );
    }
    const options = { ...required, middleware: undefined } as never;
    assertRefused(() => declare(options), `${name}: unknown option "middleware"${within} (allowed: ${allowed})`);
    const { message } = assertThrows(() => declare(options), TypeError);
    assertFalse(message.includes("did you mean"), message);
  });

  Deno.test(`${name} refuses options${of}${after} that are not a plain object`, () => {
    assertRefused(() => declare(null as never), name, "must be a plain object like { key: … }, got null");
    assertRefused(() => declare([] as never), name, "must be a plain object like { key: … }, got an array");
    const takesSchema = /^(request|response)\./.test(name) && after === "";
    const text = takesSchema ? "must be a Standard Schema" : 'must be a plain object like { key: … }, got "options"';
    assertRefused(() => declare("options" as never), name, text);
    assertRefused(
      () => declare(new Map() as never),
      name,
      "must be a plain object like { key: … }, got an instance of a class",
    );
    assertRefused(() => declare({ __proto__: { ...required } } as never), name, '["__proto__"]');
  });

  Deno.test(`${name} accepts options${of}${after} without a prototype`, () => {
    assert(declare(Object.assign(Object.create(null), required) as never));
  });
}

Deno.test("defineContract() suggests an option for a wrong case and swapped letters", () => {
  assertRefused(() => defineContract({ routes, basepath: "/api" } as never), 'did you mean "basePath"?');
  assertRefused(() => defineContract({ routes, basePaht: "/api" } as never), 'did you mean "basePath"?');
});

Deno.test("route.get() refuses an option called __proto__ or constructor", () => {
  assertRefused(() => route.get("/here", { responses, ["__proto__"]: {} } as never), 'unknown option "__proto__"');
  assertRefused(() => route.get("/here", { responses, constructor: {} } as never), 'unknown option "constructor"');
});

Deno.test("router() and defineContract() refuse routes that are not a plain object", () => {
  const refused: readonly (readonly [unknown, string])[] = [
    [null, "must be a plain object like { key: … }, got null"],
    [[routes.health], "must be a plain object like { key: … }, got an array"],
    [() => routes, "must be a plain object like { key: … }, got a function"],
    ["routes", 'must be a plain object like { key: … }, got "routes"'],
    [new Map(Object.entries(routes)), "must be a plain object like { key: … }, got an instance of a class"],
    [{ __proto__: routes.health }, '["__proto__"]'],
  ];
  for (const [given, state] of refused) {
    assertRefused(() => router("/here", { routes: given as never }), 'router("/here"): "routes"', state);
    assertRefused(() => defineContract({ routes: given as never }), 'defineContract(): "routes"', state);
  }
});

Deno.test("route.put(), router() and defineContract() read each option once", () => {
  const options = {
    "route.put": { params: text, query: text, body: text, trailingSlash: true, responses, security: [], docs: {} },
    router: { routes, responses, refusals: {}, security: [], deprecated: true, docs: {} },
    defineContract: { basePath: "/api", routes, responses, security: [], deprecated: { since: "2026-06-01" } },
  };
  const reads: Record<string, readonly string[]> = {};
  const note = (name: keyof typeof options): never => {
    const read: string[] = [];
    reads[name] = read;
    return new Proxy(options[name], {
      get(target, key, receiver): unknown {
        if (key !== "~standard") read.push(String(key)); // of a schema, which options are not
        return Reflect.get(target, key, receiver);
      },
    }) as never;
  };
  route.put("/here", note("route.put"));
  router("/here", note("router"));
  defineContract(note("defineContract"));

  for (const [name, declared] of Object.entries(options)) assertEquals(reads[name], Object.keys(declared));
});
