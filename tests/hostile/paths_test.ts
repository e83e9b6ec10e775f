/**
 * There is one parser of paths: every spelling of a path matches the same route, a guard that is placed by identity
 * runs before it in each of them, and the server matches the paths that a client builds.
 */
import { defineContract, response, route, type RouteDeclaration, router, type RouterDeclaration } from "@scope/api";
import { ClientError, createClient } from "@scope/api/client";
import { createFetchHandler, type FetchHandler } from "@scope/api/fetch";
import { defineServer, type Middleware } from "@scope/api/server";
import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { tries } from "../support/tries.ts";

const responses = { 204: response.empty() };
const names = fc.constantFrom("a", "b", "c", "id", "__proto__", "constructor", "then");
const literal = fc.constantFrom("a", "b", "users", "items", "é", "a b", "~", "..a", "+", "a:b", ";", "日本", "A");
const segment = fc.oneof(literal, names.map((name) => `:${name}`));
const methods = fc.constantFrom("get", "post", "delete", "query");

/** A group of routes: the segments it adds, its own routes and further groups. */
interface Group {
  readonly segments: readonly string[];
  readonly routes: readonly { readonly method: string; readonly segments: readonly string[] }[];
  readonly groups: readonly Group[];
}

const someSegments = fc.array(segment, { maxLength: 3 });
const { group } = fc.letrec<{ group: Group }>((tie) => ({
  group: fc.record({
    segments: fc.array(segment, { maxLength: 2 }),
    routes: fc.array(fc.record({ method: methods, segments: someSegments }), { minLength: 1, maxLength: 4 }),
    groups: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.constant([]),
      fc.array(tie("group"), { maxLength: 2 }),
    ),
  }),
}));
const base = fc.array(literal, { maxLength: 2 });

/** The last match, and whether the guard of the route ran before it. */
interface Trace {
  readonly key: string;
  readonly params: Readonly<Record<string, string>>;
  readonly guarded: boolean;
}

/** A contract of a group's routes, without those that conflict with the others. */
function toContract(
  basePath: string,
  root: Group,
): { contract: ReturnType<typeof defineContract>; keys: readonly string[] } | undefined {
  const seen = new Set<string>();
  const keys: string[] = [];
  const build = (
    group: Group,
    above: readonly string[],
    key: string,
  ): Record<string, RouteDeclaration | RouterDeclaration> => {
    const entries: [string, RouteDeclaration | RouterDeclaration][] = [];
    for (const [index, { method, segments }] of group.routes.entries()) {
      const whole = [...above, ...segments];
      const parameters = whole.filter((segment) => segment.startsWith(":"));
      const shape = `${method} ${whole.map((segment) => segment.startsWith(":") ? ":" : segment).join("/")}`;
      if (seen.has(shape) || new Set(parameters).size < parameters.length) continue;
      seen.add(shape);
      keys.push(`${key}r${index}`);
      entries.push([`r${index}`, route[method as "get"](segments.join("/"), { responses })]);
    }
    for (const [index, inner] of group.groups.entries()) {
      const routes = build(inner, [...above, ...inner.segments], `${key}g${index}.`);
      if (Object.keys(routes).length > 0) entries.push([`g${index}`, router(inner.segments.join("/"), { routes })]);
    }
    return Object.fromEntries(entries);
  };
  const routes = build(root, [], "");
  return keys.length > 0 ? { contract: defineContract({ basePath, routes } as never), keys } : undefined;
}

/** Mounts a contract whose groups each have a guard of their own, by identity. */
function mountGuarded(
  contract: ReturnType<typeof defineContract>,
): { handler: FetchHandler; take: () => Trace | undefined } {
  let guards: string[] = [];
  let trace: Trace | undefined;
  const implement = (node: object, prefix: string): unknown => {
    const guard: Middleware = ({ next, route }) => {
      guards.push(route.key.slice(0, prefix.length) === prefix ? prefix : "another's");
      return next();
    };
    const subtree = Object.entries(node).map(([key, child]) => [
      key,
      key.startsWith("r") ? handle : implement(child, `${prefix}${key}.`),
    ]);
    const server = defineServer(contract).use(guard);
    return prefix === ""
      ? server.implement(Object.fromEntries(subtree))
      : server.implement(node as never, Object.fromEntries(subtree) as never);
  };
  const handle = (input: { route: { key: string }; params?: Record<string, string> }): { status: 204 } => {
    const { key } = input.route;
    const group = key.slice(0, key.lastIndexOf(".") + 1);
    trace = { key, params: input.params ?? {}, guarded: guards.includes(group) && !guards.includes("another's") };
    return { status: 204 };
  };
  const handler = createFetchHandler(implement(contract.routes, "") as never);
  const take = (): Trace | undefined => {
    const taken = trace;
    [trace, guards] = [undefined, []];
    return taken;
  };
  return { handler, take };
}

const text = fc.oneof(
  literal,
  fc.constantFrom(
    "%",
    "%2F",
    "/",
    "a/b",
    ".",
    "..",
    "",
    "%2e",
    "\\",
    "?",
    "#",
    "__proto__",
    "a%62",
    "\ud800",
    "é",
    "e\u0301",
  ),
  fc.string({ unit: "binary", maxLength: 4 }),
);

/** The node of a dotted key in a tree of nodes or calls. */
function at<Leaf>(tree: unknown, key: string): Leaf {
  return key.split(".").reduce((node, name) => (node as Record<string, unknown>)[name], tree) as Leaf;
}

// proves promises | A client's request matches its own route and parameters, or the call throws
Deno.test("createFetchHandler() matches every createClient() request to its route, params and guard, or the call throws", async () => {
  const input = fc.tuple(base, group, fc.infiniteStream(text), fc.nat());
  await fc.assert(
    fc.asyncProperty(input, async ([base, root, texts, pick]) => {
      const made = toContract(base.join("/"), root);
      if (!made) return;
      const { handler, take } = mountGuarded(made.contract);
      const key = made.keys[pick % made.keys.length]!;
      const node = at<{ path: string }>(made.contract.routes, key);
      const parameters = [...node.path.matchAll(/\/:([^/]+)/g)].map(([, name]) => name!);
      const params = Object.fromEntries(parameters.map((name) => [name, texts.next().value as string]));
      const client = createClient(made.contract, { baseUrl: "http://localhost", fetch: handler });
      const call = at<(input?: object) => Promise<{ status: number }>>(client, key);
      const called = await call(parameters.length > 0 ? { params } : undefined).then(
        ({ status }) => status,
        (error) => {
          assert(error instanceof ClientError, String(error));
          return error.code;
        },
      );
      const trace = take();
      if (called === "invalid-input") assertEquals(trace, undefined);
      else assertEquals([called, trace], [204, { key, params, guarded: true }]);
    }),
    tries(400),
  );
});

/** One way to spell a segment: each character as it is, escaped, or escaped in small letters. */
function respell(segment: string, choices: readonly number[]): string {
  return Array.from(segment, (character, index) => {
    const choice = choices[index % choices.length]!;
    const escaped = Array.from(new TextEncoder().encode(character), (byte) => `%${byte.toString(16).padStart(2, "0")}`);
    if (choice === 0 && /^[\w~+:;@!$&'()*,=.-]$/.test(character)) return character;
    return choice === 1 ? escaped.join("").toUpperCase() : escaped.join("");
  }).join("");
}

// proves promises | Guards and the router always agree about a path
Deno.test("createFetchHandler() leads every spelling of a path to the same route and guard", async () => {
  const choices = fc.array(fc.nat(2), { minLength: 1, maxLength: 5 });
  const texts = fc.infiniteStream(fc.oneof(literal, text.filter((text) => text.isWellFormed())));
  const input = fc.tuple(base, group, texts, fc.nat(), fc.array(choices, { minLength: 1, maxLength: 4 }), methods);
  await fc.assert(
    fc.asyncProperty(input, async ([base, root, texts, pick, spellings, method]) => {
      const made = toContract(base.join("/"), root);
      if (!made) return;
      const { handler, take } = mountGuarded(made.contract);
      const { path } = at<{ path: string }>(made.contract.routes, made.keys[pick % made.keys.length]!);
      const segments = path.slice(1).split("/").map((segment) =>
        segment.startsWith(":") ? texts.next().value! : segment
      )
        .filter((text) => text !== "." && text !== ".."); // which URLs resolve away
      const outcomes = new Set<string>();
      for (const choices of [[1], ...spellings]) {
        const path = segments.map((segment) => `/${respell(segment, choices)}`).join("") || "/";
        const { status } = await handler(new Request(`http://localhost${path}`, { method: method.toUpperCase() }));
        const trace = take();
        assert(trace === undefined || trace.guarded, `${path} passed its guard`);
        outcomes.add(JSON.stringify([status, trace]));
      }
      assertEquals([...outcomes].slice(1), [], "spellings went different ways");
    }),
    tries(300),
  );
});

Deno.test("createFetchHandler() responds to any text as a path with a declared route or its own refusal", async () => {
  const piece = fc.constantFrom(
    ..."/ // %2F %2f %5C \\ . .. %2e %2E%2e ; ? # % %G %GG %C3 %C3%A9 %00 a users : * @ [ é".split(" "),
  );
  await fc.assert(
    fc.asyncProperty(base, group, fc.array(piece, { maxLength: 12 }), async (base, root, pieces) => {
      const made = toContract(base.join("/"), root);
      const url = `http://localhost/${base.join("/")}/${pieces.join("")}`;
      if (!made || !URL.canParse(url)) return;
      const { handler, take } = mountGuarded(made.contract);
      const { status } = await handler(new Request(url));
      const trace = take();
      assert(
        trace ? status === 204 && trace.guarded : [400, 404, 405].includes(status),
        `${url} was answered ${status}`,
      );
      const isMalformed = new URL(url).pathname.split("/").some((segment) => !isDecodable(segment));
      assertEquals(status === 400, isMalformed, url);
    }),
    tries(400),
  );
});

function isDecodable(segment: string): boolean {
  try {
    decodeURIComponent(segment);
    return true;
  } catch {
    return false;
  }
}
