/**
 * The OpenAPI document, and the page that shows it.
 *
 * @module
 */
import { type DocsHandler, type OpenApiDocument, openApiDocument, serveDocs } from "@scope/api/openapi";
import { contract } from "./contract.ts";

export const document: OpenApiDocument = openApiDocument(contract, {
  info: { title: "Tasks", version: "1.0.0", description: "Projects, their tasks, and what is attached to them." },
  tags: [
    { name: "tasks", description: "The tasks of all projects." },
    { name: "projects", description: "Groups of tasks." },
    { name: "changes", description: "What was created, changed and removed." },
  ],
});

/** Responds to requests for the page at `/docs`, its files and the document. */
export const showDocs: DocsHandler = serveDocs(document);
