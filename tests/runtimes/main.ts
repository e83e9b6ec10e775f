/**
 * The suite of all runtimes: `deno task test:runtimes`. It installs its dependencies, so it is not part of the default
 * tests. It compares the results of each case here, for every runtime.
 */
import { assertEquals } from "@std/assert";
import { type Case, differenceOn } from "./case.ts";
import { clientCases } from "./client_cases.ts";
import { between, type Host, hosts } from "./hosts.ts";
import { testBundles } from "./consumers/bundles.ts";
import { testCopies } from "./consumers/copies.ts";
import { testCreate } from "./consumers/create.ts";
import { testEditors } from "./consumers/editors.ts";
import { testFrameworks } from "./consumers/frameworks.ts";
import { testFullStack } from "./consumers/full_stack.ts";
import { testGuides } from "./consumers/guides.ts";
import { testFirstSteps } from "./consumers/first_steps.ts";
import { testPublishing } from "./consumers/jsr.ts";
import { testNode } from "./consumers/node.ts";
import { testPackage } from "./consumers/package.ts";
import { testPassOn } from "./consumers/pass_on.ts";
import { testParallel } from "./consumers/parallel.ts";
import { testProxies } from "./consumers/proxies.ts";
import { testSockets } from "./consumers/sockets.ts";
import { testStopping } from "./consumers/stopping.ts";
import { testTanStack } from "./consumers/tanstack.ts";
import { testTools } from "./consumers/tools.ts";
import { testTutorial } from "./consumers/tutorial.ts";
import { testGeneric, testMistakes, testSources, testTypes } from "./consumers/types.ts";
import { everyVersion, prepare, removeFolders } from "./kit.ts";
import { serveOdd } from "./odd_server.ts";
import { makeInAdvance } from "./once.ts";
import { serverCases } from "./server_cases.ts";
import { formatTable, record } from "./table.ts";

const prepared = prepare();

/** The hosts of this run. */
const run = hosts.filter(({ name }) => everyVersion || !between.includes(name));

for (const host of run) {
  if (host.serve) testServer(host, host.serve);
  if (host.call) testClient(host, host.call);
}

testPackage();
testTypes();
testMistakes();
testEditors();
testPublishing();
testGeneric();
testSources();
testCopies();
testBundles();
testFirstSteps();
testGuides();
testFrameworks();
testNode();
testSockets();
testCreate();
testParallel();
testStopping();
testProxies();
testPassOn();
testTanStack();
testTools();
testTutorial();
testFullStack();

Deno.test.afterAll(async () => {
  console.log(formatTable(run.map(({ name }) => name)));
  await removeFolders();
});

function testServer({ name }: Host, serve: NonNullable<Host["serve"]>): void {
  Deno.test(`${name} server`, async (test) => {
    if (name === run[0]!.name) void prepared.then(makeInAdvance); // only where all tests run, or most of them
    const { baseUrl, stop } = await serve();
    try {
      for (const [group, cases] of Object.entries(serverCases)) {
        for (const one of cases) await step(test, name, group, one, () => one.run(baseUrl));
      }
    } finally {
      await stop();
    }
  });
}

function testClient({ name }: Host, call: NonNullable<Host["call"]>): void {
  Deno.test(`${name} client`, async (test) => {
    const server = serveOdd();
    try {
      const gave = await call(server.baseUrl);
      for (const [group, cases] of Object.entries(clientCases)) {
        for (const one of cases) await step(test, name, group, one, () => gave[`${group}: ${one.name}`]);
      }
    } finally {
      await server.stop();
    }
  });
}

async function step(test: Deno.TestContext, host: string, group: string, one: Case, run: () => unknown): Promise<void> {
  const row = `${group}: ${one.name}`;
  const difference = differenceOn(one, host);
  const isAsExpected = await test.step(row, async () => {
    assertEquals(await run(), difference ? difference.gives : one.gives);
  });
  record(row, host, !isAsExpected ? "FAILED" : difference ? "differs" : "ok");
}
