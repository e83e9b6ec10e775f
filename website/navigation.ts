/** A page of the site that a reader finds by what they want to do. */
export interface Group {
  readonly title: string;
  /** Pages by their paths from the root of the project, in the order of the sidebar. Their headings are their names. */
  readonly pages: readonly string[];
}

/** The groups of the sidebar. `tests/site/navigation_test.ts` fails where a page of `docs/` is in none. */
export const navigation: readonly Group[] = [
  {
    title: "Start",
    pages: ["README.md", "docs/tutorial.md", "docs/full-stack.md", "docs/questions.md", "docs/comparison.md"],
  },
  {
    title: "Declare a contract",
    pages: [
      "docs/contracts.md",
      "docs/requests.md",
      "docs/responses.md",
      "docs/schema-libraries.md",
      "docs/codecs-and-dates.md",
      "docs/types.md",
      "docs/deprecation.md",
    ],
  },
  {
    title: "Serve it",
    pages: [
      "docs/server.md",
      "docs/context.md",
      "docs/middleware.md",
      "docs/guards.md",
      "docs/errors.md",
      "docs/custom-errors.md",
      "docs/conditional-requests.md",
      "docs/lost-updates.md",
    ],
  },
  {
    title: "Secure it",
    pages: [
      "docs/authentication.md",
      "docs/session-cookies.md",
      "docs/jwt.md",
      "docs/rate-limits.md",
      "docs/login-attempts.md",
      "docs/idempotency-keys.md",
      "docs/cors.md",
      "docs/csrf.md",
      "SECURITY.md",
    ],
  },
  {
    title: "Call it",
    pages: [
      "docs/client.md",
      "docs/client-errors.md",
      "docs/client-middleware.md",
      "docs/retries.md",
      "docs/slim-contracts.md",
      "docs/tanstack-query.md",
      "docs/infinite-queries.md",
      "docs/proxies.md",
      "docs/react-native.md",
    ],
  },
  {
    title: "Send more than JSON",
    pages: [
      "docs/files-and-forms.md",
      "docs/uploads.md",
      "docs/media-types.md",
      "docs/streaming.md",
      "docs/server-sent-events.md",
      "docs/representations.md",
    ],
  },
  { title: "Describe it", pages: ["docs/openapi.md", "docs/swagger-ui.md", "docs/diff.md", "docs/mcp.md"] },
  { title: "Import an API", pages: ["docs/import.md"] },
  {
    title: "Test and deploy",
    pages: [
      "docs/testing.md",
      "docs/contract-tests.md",
      "docs/mock.md",
      "docs/deploying.md",
      "docs/frameworks.md",
      "docs/scaling-out.md",
      "docs/graceful-shutdown.md",
      "docs/observability.md",
      "docs/runtimes.md",
    ],
  },
  {
    title: "Come from another toolkit",
    pages: [
      "docs/coming-from-hono.md",
      "docs/coming-from-orpc.md",
      "docs/coming-from-ts-rest.md",
      "docs/coming-from-trpc.md",
      "docs/coming-from-express.md",
    ],
  },
  { title: "Look up", pages: ["reference.md", "docs/conformance.md", "bench/RESULTS.md", "CHANGELOG.md"] },
];
