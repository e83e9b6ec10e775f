/**
 * The OpenAPI document, and the page that shows it.
 *
 * @module
 */
import { docsPage, type OpenApiDocument, openApiDocument } from "@scope/api/openapi";
import { contract } from "./contract.ts";

export const document: OpenApiDocument = openApiDocument(contract, {
  info: { title: "Tasks", version: "1.0.0", description: "Projects, their tasks, and what is attached to them." },
  tags: [
    { name: "tasks", description: "The tasks of all projects." },
    { name: "projects", description: "Groups of tasks." },
    { name: "changes", description: "What was created, changed and removed." },
  ],
});

/** Returns the docs page, with a policy that lets it load and call only this origin. */
export function showDocs(): Response {
  const nonce = crypto.randomUUID();
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return new Response(docsPage({ document, nonce }), {
    headers: { "content-type": "text/html; charset=utf-8", "content-security-policy": policy },
  });
}
