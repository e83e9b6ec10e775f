/** The claims of docs/idempotency-keys.md about several processes, and about effects that fail. */
import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { once } from "./once.ts";
import { countPayments, openPayments } from "./payments.ts";
import { start, type Started } from "../support/processes.ts";

const folder = import.meta.dirname!;

interface App extends Started {
  readonly pay: (key: string, cents: number) => Promise<string>;
}

async function startApp(file: string): Promise<App> {
  const args = ["run", "--quiet", "--no-check", "--unstable-no-legacy-abort", "--allow-all"];
  const started = await start(Deno.execPath(), [...args, `${folder}/payments_app.ts`], /listening on (\d+)/, {
    DATABASE: file,
  });
  const url = `http://127.0.0.1:${started.found[1]}/payments`;
  const pay = async (key: string, cents: number): Promise<string> => {
    const headers = { "content-type": "application/json", "idempotency-key": key };
    const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ cents }) });
    return `${response.status} ${await response.text()}`;
  };
  return { ...started, pay };
}

Deno.test("concurrent requests with one idempotency key have one effect, in two processes", async () => {
  const file = await Deno.makeTempFile();
  {
    await using one = await startApp(file);
    await using other = await startApp(file);

    for (let payment = 1; payment <= 5; payment++) {
      const asked = Array.from({ length: 20 }, (_, index) => (index % 2 ? one : other).pay(`key ${payment}`, 500));
      assertEquals(new Set(await Promise.all(asked)), new Set([`201 {"id":${payment}}`]));
    }
    assertEquals((await other.pay("key 1", 900)).slice(0, 3), "422");
  }
  const database = openPayments(file);
  assertEquals(countPayments(database), 5);
  database.close();
  await Deno.remove(file);
});

Deno.test("an effect that throws stores neither its changes nor its key", () => {
  const database = openPayments(":memory:");
  const attempt = { caller: "ada", key: "1", request: {} };
  const pay = (): { status: number } => {
    database.exec("INSERT INTO payments (payer, cents) VALUES ('ada', 1)");
    return { status: 201 };
  };

  const failure = new Error("after the payment");
  const thrown = assertThrows(() =>
    once(database, attempt, () => {
      pay();
      throw failure;
    })
  );
  assertEquals([thrown, countPayments(database)], [failure, 0]);

  assertEquals([once(database, attempt, pay), once(database, attempt, pay)], [{ status: 201 }, { status: 201 }]);
  assertEquals(countPayments(database), 1);
  database.close();
});

Deno.test("docs/idempotency-keys.md has the function that these tests call", async () => {
  const page = await Deno.readTextFile(`${folder}/../../docs/idempotency-keys.md`);
  const source = await Deno.readTextFile(`${folder}/once.ts`);

  assertStringIncludes(page, source.slice(source.indexOf("/**")).replaceAll(/^export /gm, ""));
});
