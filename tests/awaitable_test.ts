import { assert, assertEquals, assertInstanceOf, assertStrictEquals } from "@std/assert";
import fc from "fast-check";
import { attempt, isPromise, whenReady } from "../src/awaitable.ts";
import { tries } from "./support/tries.ts";

/** How a value or an error arrives: at once, by a promise of this realm, or by another object with a method `then`. */
type Arrival = "now" | "promise" | "thenable";

const arrival = fc.constantFrom<Arrival>("now", "promise", "thenable");

/** A thenable that counts the calls of `then`. */
class Thenable<Value> implements PromiseLike<Value> {
  asked = 0;

  constructor(readonly settle: () => Value) {}

  then<Next, Recovered>(
    next?: ((value: Value) => Next | PromiseLike<Next>) | null,
    recover?: ((error: unknown) => Recovered | PromiseLike<Recovered>) | null,
  ): PromiseLike<Next | Recovered> {
    this.asked++;
    const settled = Promise.resolve().then(this.settle).then(next, recover);
    return new Thenable(() => settled) as PromiseLike<unknown> as PromiseLike<Next | Recovered>;
  }
}

/** A value of any kind: falsy, an error, an object whose key `then` is not a method. */
const value = fc.oneof(fc.anything(), fc.constant(new Error("a value")), fc.record({ then: fc.integer() }));

/** The value that `settle` returns or the error that it throws, sync or async. */
function arriving<Value>(how: Arrival, settle: () => Value): Value | PromiseLike<Value> {
  if (how === "now") return settle();
  return how === "promise" ? Promise.resolve().then(settle) : new Thenable(settle);
}

function fail(error: unknown): never {
  throw error;
}

Deno.test("isPromise() is true only for thenables and promises of any realm", () => {
  fc.assert(fc.property(value, (value) => !isPromise(value)), tries(100));
  assert(isPromise(Promise.resolve()));
  assert(isPromise(new Thenable(() => 1)));
  assert(!isPromise(() => {}));
});

Deno.test("whenReady() passes a value and the extra argument to the next step, synchronously if it is ready", async () => {
  await fc.assert(
    fc.asyncProperty(arrival, value, fc.anything(), async (how, value, given) => {
      const passed = whenReady(arriving(how, () => value), (...step) => step, given);
      assertEquals(passed instanceof Promise, how !== "now");
      assertEquals(await passed, [value, given]);
    }),
    tries(100),
  );
});

Deno.test("whenReady() propagates the rejection of its value and errors of the next step", async () => {
  await fc.assert(
    fc.asyncProperty(arrival, fc.boolean(), fc.anything(), async (how, isOfValue, error) => {
      const handedOn = attempt(
        () => whenReady(arriving(how, () => isOfValue ? fail(error) : 1), () => isOfValue ? 2 : fail(error)),
        (caught) => ({ caught }),
      );
      assertEquals(await handedOn, { caught: error });
    }),
    tries(100),
  );
});

Deno.test("whenReady() and attempt() await a thenable once and return a promise of this realm", async () => {
  for (const settle of [(given: Thenable<number>) => whenReady(given, (value) => value + 1), attemptOf]) {
    const thenable = new Thenable(() => 1);
    const settled = settle(thenable);
    assertInstanceOf(settled, Promise);
    assertEquals([await settled, thenable.asked], [2, 1]);
  }
});

function attemptOf(given: Thenable<number>): unknown {
  return attempt(() => given, fail, (value) => value + 1);
}

Deno.test("attempt() passes errors and rejections of work to recover, errors synchronously", async () => {
  await fc.assert(
    fc.asyncProperty(arrival, fc.anything(), fc.anything(), async (how, error, given) => {
      const recovered = attempt(
        () => arriving(how, () => fail(error)),
        (...recovered) => recovered,
        () => "not reached",
        given,
      );
      assertEquals(recovered instanceof Promise, how !== "now");
      assertEquals(await recovered, [error, given]);
    }),
    tries(100),
  );
});

Deno.test("attempt() passes the value of work to next and does not recover its errors; without next it returns the value", async () => {
  await fc.assert(
    fc.asyncProperty(arrival, value, async (how, value) => {
      const passed = attempt((given) => arriving(how, () => [value, given]), fail, (value) => value, "given");
      const alone = attempt(() => arriving(how, () => value), fail);
      assertEquals([passed instanceof Promise, alone instanceof Promise], [how !== "now", how !== "now"]);
      assertEquals(await passed, [value, "given"]);
      assertStrictEquals(await alone, value);

      const error = new Error("of the next step");
      const thrown = attempt(
        () => attempt(() => arriving(how, () => value), () => "recovered", () => fail(error)),
        (caught) => caught,
      );
      assertStrictEquals(await thrown, error);
    }),
    tries(100),
  );
});

Deno.test("attempt() propagates errors of recover", async () => {
  for (const how of ["now", "promise", "thenable"] as const) {
    const second = new Error("second");
    const thrown = attempt(
      () => attempt(() => arriving(how, () => fail("first")), () => fail(second)),
      (caught) => caught,
    );
    assertStrictEquals(await thrown, second);
  }
});
