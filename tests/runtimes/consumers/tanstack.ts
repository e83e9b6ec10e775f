import { assertEquals } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { run } from "../command.ts";
import { compilers, compilersFolder, currentCompilers, folderWith, tsc } from "../kit.ts";
import { advance } from "../once.ts";
import { readmeFile } from "./pages.ts";

/** A program that uses the options with React's hooks, and an error for each wrong use. */
const program = `
import {
  QueryClient, skipToken, useInfiniteQuery, useMutation, useQueries, useQuery, useQueryClient, useSuspenseQueries, useSuspenseQuery,
} from "@tanstack/react-query";
import { defineContract, response, route, router } from "@scope/api";
import { createClient, type ErrorOf } from "@scope/api/client";
import { infiniteQueryOptions, mutationOptions, queryKey, queryOptions } from "@scope/api/tanstack-query";
import * as z from "zod";

const Note = z.object({ id: z.string(), text: z.string() });
const contract = defineContract({
  routes: {
    notes: router("/notes", {
      routes: {
        byId: route.get("/:id", { responses: { 200: response.json(Note), 404: response.json(z.object({ reason: z.string() })) } }),
        list: route.get("/", { query: z.object({ after: z.string().optional() }), responses: { 200: response.json(z.array(Note)) } }),
        rename: route.patch("/:id", { body: z.object({ text: z.string() }), responses: { 200: response.json(Note), 409: response.empty() } }),
      },
    }),
  },
});
const client = createClient(contract, { baseUrl: "https://api.example.com" });
const { byId, list, rename } = client.notes;
const byIdOptions = (id: string) => queryOptions(byId, { params: { id } });
type Same<One, Other> = (<Type>() => Type extends One ? 1 : 2) extends <Type>() => Type extends Other ? 1 : 2 ? true : false;
const same = <Is extends true>(): Is | undefined => undefined;
type Note = { id: string; text: string };
type Reason = string | undefined;

export function useEverything(ids: readonly string[], id: string | undefined) {
  const cache = useQueryClient();
  // one query, and its error
  const one = useQuery({ ...byIdOptions("1"), staleTime: 1000 });
  same<Same<typeof one.data, Note | undefined>>();
  const reason: Reason = one.error?.result?.body.reason;
  const error: ErrorOf<typeof byId> | null = one.error;
  // with a selection
  const text = useQuery({ ...byIdOptions("1"), select: (note) => note.text });
  same<Same<typeof text.data, string | undefined>>();
  // suspense
  const ready = useSuspenseQuery(queryOptions(list));
  same<Same<typeof ready.data, Note[]>>();
  // several queries
  const both = useQueries({ queries: [byIdOptions("1"), queryOptions(list)] });
  same<Same<typeof both[0]["data"], Note | undefined>>();
  same<Same<typeof both[1]["data"], Note[] | undefined>>();
  const reasonOfFirst: Reason = both[0].error?.result?.body.reason;
  const many = useQueries({ queries: ids.map(byIdOptions) });
  same<Same<typeof many, typeof many[number][]>>();
  const reasonOfMany: Reason = many[0]?.error?.result?.body.reason;
  const suspended = useSuspenseQueries({ queries: [byIdOptions("1"), queryOptions(list)] });
  same<Same<typeof suspended[0]["data"], Note>>();
  // a query that may be skipped
  const maybe = useQuery(queryOptions(byId, id === undefined ? skipToken : { params: { id } }));
  same<Same<typeof maybe.data, Note | undefined>>();
  const reasonOfMaybe: Reason = maybe.error?.result?.body.reason;
  // pages
  const pages = useInfiniteQuery(infiniteQueryOptions(list, {
    next: ({ body }) => body.at(-1)?.id,
    input: (after) => ({ query: { after } }),
  }));
  same<Same<typeof pages.data extends { pages: { body: Note[] }[] } | undefined ? true : false, true>>();
  // an optimistic update: the cache is typed by the keys
  const change = useMutation({
    ...mutationOptions(rename),
    onMutate: async ({ params, body }) => {
      const { queryKey } = byIdOptions(String(params.id));
      await cache.cancelQueries({ queryKey });
      const before = cache.getQueryData(queryKey);
      same<Same<typeof before, Note | undefined>>();
      cache.setQueryData(queryKey, (old) => old && { ...old, text: body.text });
      return { before };
    },
    onError: (error, { params }, made) => {
      if (error.result?.status === 409) cache.setQueryData(queryKey(byId, { params }), made?.before);
    },
    // all routes of a group
    onSettled: () => cache.invalidateQueries({ queryKey: queryKey(client.notes) }),
  });
  change.mutate({ params: { id: "1" }, body: { text: "" } });
  return { reason, error, reasonOfFirst, reasonOfMany, reasonOfMaybe };
}

export async function outside(cache: QueryClient): Promise<Note> {
  await cache.prefetchQuery(queryOptions(list));
  await cache.ensureQueryData(byIdOptions("1"));
  return await cache.fetchQuery(byIdOptions("1"));
}

export function wrong(cache: QueryClient): void {
  // @ts-expect-error the data have no such member
  cache.setQueryData(byIdOptions("1").queryKey, { nonsense: true });
  // @ts-expect-error a query that may be skipped cannot suspend
  useSuspenseQuery(queryOptions(byId, Math.random() > 0.5 ? skipToken : { params: { id: "1" } }));
  // @ts-expect-error a group is not a call
  queryOptions(client.notes);
  // @ts-expect-error there is no such parameter
  queryKey(byId, { params: { key: "1" } });
  // @ts-expect-error a declared error has a reason
  useQuery(byIdOptions("1")).error?.result?.body.cause;
}
`;

/** A program that has the package, but not TanStack Query. */
const withoutTanStack = `
import { defineContract, response, route } from "@scope/api";
import { createClient } from "@scope/api/client";
import { queryKey, queryOptions } from "@scope/api/tanstack-query";
const client = createClient(defineContract({ routes: { all: route.get("/", { responses: { 200: response.text() } }) } }), { baseUrl: "/" });
export const data: Promise<string> = queryOptions(client.all).queryFn({ signal: AbortSignal.abort() });
export const key = queryKey(client.all);
`;

/** How programs are compiled. Only TypeScript 5.8 and later let a CommonJS module import the package. */
interface Setting {
  readonly files: readonly string[];
  readonly options: object;
  /** The versions of TypeScript. */
  readonly versions: readonly (typeof compilers[number])[];
}

const settings: Readonly<Record<string, Setting>> = {
  bundler: {
    files: ["program.ts"],
    options: { module: "esnext", moduleResolution: "bundler" },
    versions: [compilers[0], "5.9"],
  },
  "bundler, exact optional properties": {
    files: ["program.ts"],
    options: { module: "esnext", moduleResolution: "bundler", exactOptionalPropertyTypes: true },
    versions: ["5.9", "7"],
  },
  "nodenext, also CommonJS": {
    files: ["program.mts", "program.cts"],
    options: { module: "nodenext", declaration: true },
    versions: ["5.9", "7"],
  },
};

/** Checks the options for TanStack Query with the hooks of React, in all kinds of modules. */
export function testTanStack(): void {
  for (const version of currentCompilers) {
    Deno.test(
      `TypeScript ${version} types the hooks and the cache of TanStack Query`,
      advance(async () => {
        const folder = await compilersFolder(`tanstack-${version}`);
        const used = Object.entries(settings).filter(([, { versions }]) => versions.includes(version));
        for (const [name, { files, options }] of used) {
          for (const file of files) await Deno.writeTextFile(`${folder}/${file}`, program);
          assertEquals(await check({ version, folder, files, options }), "", name);
        }
      }),
    );
  }

  Deno.test(
    "README's component for React compiles with its contract and its client",
    advance(async () => {
      const folder = await compilersFolder("tanstack-readme");
      for (const name of ["contract.ts", "client.ts"]) {
        await Deno.writeTextFile(`${folder}/${name}`, readmeFile(name));
      }
      await Deno.writeTextFile(`${folder}/me.tsx`, readmeFile("me.tsx"));
      const options = { module: "nodenext", jsx: "react-jsx", allowImportingTsExtensions: true };
      assertEquals(await check({ version: "7", folder, files: ["me.tsx"], options }), "");
    }),
  );

  Deno.test(
    "a program without TanStack Query can use the options, whose keys then have no types",
    advance(async () => {
      const folder = await folderWith("without-tanstack", ["typescript-7@npm:typescript@7"]);
      await Deno.writeTextFile(`${folder}/without.ts`, withoutTanStack);
      assertEquals(await check({ version: "7", folder, files: ["without.ts"], options: { module: "nodenext" } }), "");
    }),
  );

  Deno.test(
    "Deno types the cache of TanStack Query, and needs no network once its types are cached",
    advance(async () => {
      const folder = await compilersFolder("tanstack-deno");
      await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ nodeModulesDir: "manual", compilerOptions }));
      await Deno.writeTextFile(`${folder}/program.ts`, program);
      const call = { command: Deno.execPath(), args: ["check", "--quiet", "--cached-only", "program.ts"], cwd: folder };
      assertEquals(await run(call), "");
    }),
  );
}

const compilerOptions = {
  ...config.compilerOptions,
  lib: ["esnext", "dom", "dom.iterable"],
  exactOptionalPropertyTypes: false,
};

/** The input of a compiler, in a folder that has it. */
interface Compilation extends Pick<Setting, "files" | "options"> {
  readonly version: typeof compilers[number];
  readonly folder: string;
}

async function check({ version, folder, files, options }: Compilation): Promise<string> {
  const path = `${folder}/tsconfig.json`;
  const all = { ...compilerOptions, target: "es2023", types: [], noEmit: true, skipLibCheck: true, ...options };
  await Deno.writeTextFile(path, JSON.stringify({ compilerOptions: all, files }));
  return await run(tsc(version, folder, ["-p", path])).catch(String);
}
