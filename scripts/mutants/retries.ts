/** Breaks the promises about retries and about event streams that reconnect. */
import { type MutatedFile } from "./mutant.ts";

export const retries: readonly MutatedFile[] = [
  {
    file: "src/retry/retry.ts",
    tests: ["retry/retry_test.ts", "retry/schedules_test.ts"],
    mutants: [
      {
        breaks: "500 is not retried",
        find: '["network", 408, 502, 503, 504]',
        replace: '["network", 408, 500, 502, 503, 504]',
      },
      {
        breaks: "a broken connection is retried",
        find: '["network", 408, 502, 503, 504]',
        replace: "[408, 502, 503, 504]",
      },
      { breaks: "a 425 is retried for every route", find: "[425, 429]", replace: "[429]" },
      {
        breaks: "a POST is not retried after 503",
        find: "((idempotent || isNamed) && passing.includes(status))",
        replace: "passing.includes(status)",
      },
      {
        breaks: "routes that also names are retried",
        find: "(idempotent || isNamed)",
        replace: "idempotent",
      },
      { breaks: "a stream is not sent again", find: "return replayable && (", replace: "return (" },
      { breaks: "attempts are counted", find: "made >= attempts ||", replace: "made > attempts ||" },
      { breaks: "retries have a budget", find: "budget < price ||", replace: "" },
      { breaks: "a retry reduces the budget", find: "budget -= price;", replace: "" },
      {
        breaks: "successes fill the budget, up to its size",
        find: "budget = Math.min(fullBudget, budget + 1)",
        replace: "budget = budget + 1",
      },
      {
        breaks: "successes fill the budget",
        find: "budget = Math.min(fullBudget, budget + 1)",
        replace: "budget = Math.min(fullBudget, budget)",
      },
      {
        breaks: "a wait longer than maxWait is not started",
        find: "|| (asked !== undefined && asked > maxWait)",
        replace: "",
      },
      { breaks: "Retry-After counts", find: "return asked ?? Math.min(", replace: "return Math.min(" },
      {
        breaks: "random waits keep to maxWait",
        find: "Math.min(backOff(made - 1), maxWait)",
        replace: "backOff(made - 1)",
      },
      { breaks: "waits grow", find: "backOff(made - 1)", replace: "backOff(0)" },
      {
        breaks: "the result of a retried attempt is closed",
        find: "if (isResult) closeSource(outcome.body);",
        replace: "",
      },
      { breaks: "retries wait", find: "await wait(delay, call.signal);", replace: "" },
      {
        breaks: "an abort ends a wait",
        find: "await wait(delay, call.signal);",
        replace: "await wait(delay, undefined);",
      },
    ],
  },
  {
    file: "src/retry/wait.ts",
    tests: ["retry/retry_test.ts", "retry/follow_test.ts"],
    mutants: [
      { breaks: "Retry-After is in seconds", find: "Number(text) * 1000", replace: "Number(text)" },
      { breaks: "Retry-After is digits", find: "/^\\d+$/.test(text)", replace: 'text !== "" && Number(text) >= 0' },
      { breaks: "an invalid date does not request a wait", find: " || undefined : undefined", replace: " : undefined" },
      {
        breaks: "a date is relative to the server's clock",
        find: 'parseDate(response?.headers.get("date")) ?? Date.now()',
        replace: "Date.now()",
      },
      { breaks: "a past date does not request a wait", find: "Math.max(0, until -", replace: "(until -" },
      { breaks: "waits are random", find: "Math.random() *", replace: "" },
      {
        breaks: "random waits are 30 seconds at most",
        find: "Math.min(30_000, 300 * 2 ** failures)",
        replace: "(300 * 2 ** failures)",
      },
      { breaks: "an aborted wait clears its timer", find: "clearTimeout(timer);", replace: "" },
    ],
  },
  {
    file: "src/retry/status_of.ts",
    tests: ["retry/retry_test.ts", "retry/follow_test.ts"],
    mutants: [
      {
        breaks: "a response with another content type is not retried",
        find: 'outcome.code === "unexpected-status" ? outcome.status : undefined',
        replace: "outcome.status",
      },
    ],
  },
  {
    file: "src/retry/follow.ts",
    tests: ["retry/follow_test.ts"],
    mutants: [
      { breaks: "follow() accepts only GET and QUERY", find: '&& ["GET", "QUERY"].includes(method) ', replace: "" },
      { breaks: "follow() needs events in a 2xx response", find: "/^2/.test(status) && ", replace: "" },
      { breaks: "streams are not sent again", find: " && !body?.representation.startUpload", replace: "" },
      { breaks: "leaving the loop closes a silent connection", find: "left.abort();", replace: "" },
    ],
  },
  {
    file: "src/retry/read_events.ts",
    tests: ["retry/follow_test.ts", "retry/cut_connections_test.ts"],
    mutants: [
      {
        breaks: "follow() reconnects after 503",
        find: '["network", 429, 502, 503, 504]',
        replace: "[429, 502, 503, 504]",
      },
      {
        breaks: "follow() reconnects after 429",
        find: '["network", 429, 502, 503, 504]',
        replace: '["network", 502, 503, 504]',
      },
      {
        breaks: "follow() begins at the input's last-event-id",
        find: "lastEventId: String(first)",
        replace: 'lastEventId: ""',
      },
      { breaks: "204 ends the events", find: "if (result?.status === 204) return;", replace: "" },
      {
        breaks: "an undeclared 204 ends the events",
        find: "if (left.aborted || statusOf(error) === 204) return;",
        replace: "if (left.aborted) return;",
      },
      {
        breaks: "the end of a finite stream is the end",
        find: "if (options.reconnectOnEnd === false) return;",
        replace: "",
      },
      {
        breaks: "leaving the loop does not throw",
        find: "if (left.aborted || statusOf(error) === 204) return;",
        replace: "if (statusOf(error) === 204) return;",
      },
      { breaks: "a permanent failure throws", find: "if (!isPassing(error)) throw error;", replace: "" },
      {
        breaks: "silence counts while follow() waits for a response",
        find: "setTimeout(() => silent.abort(),",
        replace: "setTimeout(() => {},",
      },
      {
        breaks: "an abort is not silence",
        find: "if (silent.signal.aborted && !signal?.aborted) return undefined;",
        replace: "if (silent.signal.aborted || signal?.aborted) return undefined;",
      },
      {
        breaks: "retry() leaves connections to follow()",
        find: 'markAs("follow", { ...callOptions, signal: ending })',
        replace: "{ ...callOptions, signal: ending }",
      },
      {
        breaks: "another declared status throws",
        find: 'throw new ClientError("unsuccessful",',
        replace: 'return undefined; throw new ClientError("unsuccessful",',
      },
      {
        breaks: "an event id counts for the next connection",
        find: "place.lastEventId = events.lastEventId;",
        replace: "",
      },
      {
        breaks: "retry sets the wait",
        find: "place.reconnectionTime = events.reconnectionTime ?? place.reconnectionTime;",
        replace: "",
      },
      { breaks: "a silent connection is reopened", find: 'error.code === "timeout" || ', replace: "" },
      {
        breaks: "Retry-After sets the wait",
        find: "readRetryAfter(response) ?? reconnectionTime",
        replace: "reconnectionTime",
      },
    ],
  },
];
