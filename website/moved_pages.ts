/** Addresses of the site that pages had before they became sections of other pages. */

/** Where a page of `docs/` is now. */
export interface Moved {
  /** The page, and the section that has its content. */
  readonly to: string;
  /** Where sections of the old page are now, by their anchors, if not at `to`. */
  readonly sections?: Readonly<Record<string, string>>;
}

/** The old pages of `docs/`, by their names. */
export const moved: Readonly<Record<string, Moved>> = {
  "lost-updates.md": { to: "conditional-requests.md#prevent-lost-updates" },
  "context.md": {
    to: "middleware.md#context",
    sections: {
      "values-from-the-runtime": "middleware.md#values-from-the-runtime",
      "cancel-work": "middleware.md#cancel-work",
    },
  },
  "guards.md": {
    to: "middleware.md#guards",
    sections: {
      "reusable-guards": "middleware.md#reusable-guards-and-middleware",
      "which-step-to-use": "middleware.md",
    },
  },
  "jwt.md": { to: "authentication.md#jwts", sections: { "describe-where-tokens-come-from": "authentication.md#jwts" } },
  "session-cookies.md": { to: "authentication.md#session-cookies" },
  "login-attempts.md": { to: "rate-limits.md#limit-login-attempts" },
  "media-types.md": { to: "representations.md#several-media-types" },
  "uploads.md": {
    to: "files-and-forms.md#large-uploads",
    sections: { "show-the-progress-in-a-page": "files-and-forms.md#show-the-progress-in-a-page" },
  },
  "infinite-queries.md": { to: "tanstack-query.md#infinite-queries" },
  "swagger-ui.md": {
    to: "openapi.md#serve-the-page",
    sections: {
      "scalar": "openapi.md#scalar",
      "in-production": "openapi.md#a-content-security-policy",
      "a-static-page": "openapi.md#a-content-security-policy",
    },
  },
  "client-errors.md": {
    to: "client.md#errors",
    sections: { "show-validation-errors-in-a-form": "client.md#show-validation-errors-in-a-form" },
  },
  "client-middleware.md": { to: "client.md#middleware" },
  "graceful-shutdown.md": { to: "deploying.md#health-checks-and-graceful-shutdown" },
  "scaling-out.md": {
    to: "deploying.md#use-all-cpu-cores",
    sections: {
      "use-all-cpu-cores": "deploying.md#use-all-cpu-cores",
      "containers": "deploying.md#containers",
      "share-state-between-processes": "deploying.md#share-state-between-processes",
      "run-behind-a-load-balancer": "deploying.md#run-behind-a-load-balancer",
    },
  },
  "proxies.md": { to: "runtimes.md#calls-through-a-proxy" },
  "react-native.md": { to: "runtimes.md#react-native" },
  "deprecation.md": { to: "contracts.md#deprecate-a-route" },
  "questions.md": {
    to: "comparison.md#questions",
    sections: {
      "which-schema-library": "schema-libraries.md",
      "how-do-i-lay-out-a-project": "comparison.md#how-do-i-lay-out-a-project",
      "how-do-i-open-and-close-something-for-each-request": "middleware.md#middleware",
      "how-do-i-use-postgresql": "comparison.md#how-do-i-use-postgresql",
      "how-do-i-work-in-the-background-after-the-response":
        "comparison.md#how-do-i-work-in-the-background-after-the-response",
      "how-do-i-log-and-trace-requests": "observability.md",
      "how-do-i-call-the-api-from-python-or-another-language": "openapi.md#write-a-file",
      "what-does-a-cold-start-cost": "comparison.md#what-does-a-cold-start-cost",
      "how-fast-are-types-in-an-editor": "comparison.md#hono-rpc",
      "how-do-i-reload-on-save": "comparison.md#how-do-i-reload-on-save",
      "does-the-client-validate-responses": "client.md#what-the-client-checks",
      "how-do-i-declare-a-boolean-in-the-query": "requests.md#booleans-in-the-query",
    },
  },
};

/**
 * The page at the address of an old one. It leads on to the new one, with a script to its section; without scripts, to the
 * section that has most of it.
 */
export function toMovedPage({ to, sections = {} }: Moved): string {
  const address = toAddress(to);
  const addresses = Object.fromEntries(Object.entries(sections).map(([anchor, to]) => [`#${anchor}`, toAddress(to)]));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>This page has moved</title>
<script>location.replace(${JSON.stringify(addresses)}[location.hash] ?? ${JSON.stringify(address)})</script>
<noscript><meta http-equiv="refresh" content="0; url=${address}"></noscript>
</head>
<body><p>This page has moved to <a href="${address}">${address}</a>.</p></body>
</html>
`;
}

/** The address of a page from another one in the same folder. */
function toAddress(to: string): string {
  return to.replace(/\.md(?=#|$)/, ".html");
}
