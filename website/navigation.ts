/** A group of pages for what a reader wants to do. */
export interface Group {
  readonly title: string;
  /** Pages by their paths from the root of the project, in the order of the sidebar. */
  readonly pages: readonly string[];
}

/**
 * The groups of the sidebar, and of README's table of guides, which `deno task pages` writes.
 * `tests/site/navigation_test.ts` fails where a page of `docs/` is in none.
 */
export const navigation: readonly Group[] = [
  { title: "Start", pages: ["README.md", "docs/tutorial.md", "docs/full-stack.md", "docs/comparison.md"] },
  {
    title: "Declare a contract",
    pages: [
      "docs/contracts.md",
      "docs/requests.md",
      "docs/responses.md",
      "docs/schema-libraries.md",
      "docs/codecs-and-dates.md",
      "docs/types.md",
    ],
  },
  {
    title: "Serve it",
    pages: [
      "docs/server.md",
      "docs/middleware.md",
      "docs/errors.md",
      "docs/custom-errors.md",
      "docs/conditional-requests.md",
      "docs/pagination.md",
      "docs/long-running-jobs.md",
    ],
  },
  {
    title: "Secure it",
    pages: [
      "docs/authentication.md",
      "docs/tenants.md",
      "docs/webhooks.md",
      "docs/rate-limits.md",
      "docs/idempotency-keys.md",
      "docs/cors.md",
      "docs/csrf.md",
      "SECURITY.md",
    ],
  },
  {
    title: "Call it",
    pages: ["docs/client.md", "docs/retries.md", "docs/slim-contracts.md", "docs/tanstack-query.md"],
  },
  {
    title: "Send more than JSON",
    pages: [
      "docs/files-and-forms.md",
      "docs/downloads.md",
      "docs/streaming.md",
      "docs/server-sent-events.md",
      "docs/websockets.md",
      "docs/live-data.md",
      "docs/representations.md",
    ],
  },
  {
    title: "Describe and change it",
    pages: [
      "docs/openapi.md",
      "docs/generated-clients.md",
      "docs/diff.md",
      "docs/governance.md",
      "docs/contract-packages.md",
      "docs/versions.md",
      "docs/contract-rules.md",
      "docs/mcp.md",
    ],
  },
  { title: "Import an API", pages: ["docs/import.md", "docs/moving-a-service.md"] },
  { title: "Test it", pages: ["docs/testing.md", "docs/contract-tests.md", "docs/audit.md", "docs/mock.md"] },
  {
    title: "Deploy it",
    pages: ["docs/deploying.md", "docs/frameworks.md", "docs/observability.md", "docs/runtimes.md"],
  },
  {
    title: "Come from another toolkit",
    pages: [
      "docs/coming-from-hono.md",
      "docs/coming-from-orpc.md",
      "docs/coming-from-ts-rest.md",
      "docs/coming-from-trpc.md",
      "docs/coming-from-express.md",
      "docs/coming-from-nestjs.md",
      "docs/coming-from-fastapi.md",
    ],
  },
  { title: "Look up", pages: ["reference.md", "docs/conformance.md", "bench/RESULTS.md", "CHANGELOG.md"] },
];

/** The names of pages that have another one than their heading. */
const titles: Readonly<Record<string, string>> = { "README.md": "Get started", "bench/RESULTS.md": "Benchmark" };

/** The name of a page in the navigation. */
export function toTitle(path: string, text: string): string {
  return titles[path] ?? text.match(/^# (.+)$/m)?.[1] ?? "";
}
