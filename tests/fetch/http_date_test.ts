import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { parseHttpDate } from "../../src/server/answer/conditional.ts";
import { asserting } from "../support/tries.ts";

const always = asserting(300);

const example = Date.UTC(1994, 10, 6, 8, 49, 37);
const seconds = (from: string, to: string): fc.Arbitrary<Date> =>
  fc.integer({ min: Date.parse(from) / 1000, max: Date.parse(to) / 1000 - 1 }).map((time) => new Date(time * 1000));
const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

// proves http | A recipient parses three formats of dates | 5.6.7
Deno.test("parseHttpDate() reads the three formats of RFC 9110, section 5.6.7", () => {
  const texts = ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"];
  for (const text of texts) assertEquals(parseHttpDate(text), example, text);
});

Deno.test("parseHttpDate() reverses each format", () => {
  always(fc.property(seconds("1000-01-01", "+010000-01-01"), (date) => {
    assertEquals(parseHttpDate(date.toUTCString()), date.getTime());
  }));
  always(fc.property(seconds("1980-01-02", "2080-01-01"), (date) => {
    const [, day, month, year, time] = date.toUTCString().split(" ") as [string, string, string, string, string];
    const weekday = days[date.getUTCDay()]!;
    const now = new Date("2030-01-01");
    const obsolete = `${weekday}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
    assertEquals(parseHttpDate(obsolete, now), date.getTime(), obsolete);
    const asctime = `${weekday.slice(0, 3)} ${month} ${day.replace(/^0/, " ")} ${time} ${year}`;
    assertEquals(parseHttpDate(asctime, now), date.getTime(), asctime);
  }));
});

Deno.test("parseHttpDate() treats a two-digit year more than 50 years ahead as one of the past", () => {
  const now = new Date("2026-06-01");
  assertEquals(parseHttpDate("Wednesday, 01-Jan-76 00:00:00 GMT", now), Date.UTC(2076, 0, 1));
  assertEquals(parseHttpDate("Monday, 01-Jun-76 00:00:00 GMT", now), Date.UTC(2076, 5, 1));
  assertEquals(parseHttpDate("Tuesday, 01-Jun-76 00:00:01 GMT", now), Date.UTC(1976, 5, 1, 0, 0, 1));
  assertEquals(parseHttpDate("Saturday, 01-Jan-77 00:00:00 GMT", now), Date.UTC(1977, 0, 1));
});

Deno.test("parseHttpDate() returns undefined for any other text", () => {
  const texts = [
    "",
    "0",
    "1994-11-06T08:49:37Z",
    "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 1994 08:49:37 +0000",
    "Sun, 06 Nov 1994 08:49:37",
    "sun, 06 nov 1994 08:49:37 gmt",
    "Mon, 06 Nov 1994 08:49:37 GMT", // it was a Sunday
    "Thu, 31 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:49:60 GMT",
    "Sun,  06 Nov 1994 08:49:37 GMT",
    " Sun, 06 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT",
    "Sun, 06-Nov-94 08:49:37 GMT",
    "Monday, 06-Nov-94 08:49:37 GMT",
    "Sunday, 06-Nov-1994 08:49:37 GMT",
    "Sun Nov 06 08:49:37 1994",
    "Sun Nov 6 08:49:37 1994",
    "Mon Nov  6 08:49:37 1994",
    "Sat, 01 Jan 10000 00:00:00 GMT",
    "Fri, 31 Dec -001 00:00:00 GMT",
  ];
  for (const text of texts) assertEquals(parseHttpDate(text), undefined, text);
});
