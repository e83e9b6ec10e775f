/**
 * The contract that the server implements, and that the page and the command line call.
 *
 * @module
 */
import { defineContract, request, response, route, router, security } from "@scope/api";
import * as z from "zod";
import {
  Attachment,
  AttachmentForm,
  Change,
  EventId,
  FileName,
  Id,
  NewProject,
  NewTask,
  Project,
  ProjectPage,
  ProjectQuery,
  Task,
  TaskPage,
  TaskQuery,
  TaskUpdate,
} from "./schemas.ts";

/** The token of a caller, which servers.ts verifies. */
export const bearer = security.bearer("bearer", {
  realm: "tasks",
  description: "The token that the server printed.",
});

/** The response to a missing or wrong token, so that clients have its type. */
const refusals = {
  401: response.problem({
    description: "The token is missing or wrong.",
    headers: z.object({ "www-authenticate": z.string() }),
  }),
};

/** The responses to a change of an old version, and to a change without a version. */
export const preconditions = {
  412: response.problem({ description: "The task was changed in the meantime: `if-match` names an older version." }),
  428: response.problem({ description: "`if-match` is required: it names the version to change." }),
};

export const NotFound = response.problem({ description: "The task or the attachment does not exist." });

const pageHeaders = z.object({ link: z.string().optional() }); // to the next page (RFC 8288)
const versionHeaders = z.object({ etag: z.string() });
const createdHeaders = z.object({ location: z.string() });

/** The maximum bytes of an upload. */
const maxAttachment = 20_000_000;

const task = { params: z.object({ id: Id }) };
const changeOfTask = { ...task, headers: z.object({ "if-match": z.string().optional() }) };

const projects = router("/projects", {
  routes: {
    list: route.get("/", {
      query: ProjectQuery,
      responses: { 200: response.json(ProjectPage, { headers: pageHeaders }) },
    }),
    create: route.post("/", {
      body: NewProject,
      responses: { 201: response.json(Project) },
    }),
  },
});

const attachments = router("/:id/attachments", {
  responses: { 404: NotFound },
  routes: {
    list: route.get("/", { ...task, responses: { 200: response.json(z.array(Attachment)) } }),
    upload: route.post("/", {
      ...task,
      body: request.formData(AttachmentForm, { maxBytes: maxAttachment }),
      responses: { 201: response.json(Attachment, { headers: createdHeaders }), 413: response.problem() },
      docs: { summary: "Attach a file by a form" },
    }),
    send: route.put("/:name", {
      params: z.object({ id: Id, name: FileName }),
      body: request.stream({ maxBytes: maxAttachment }),
      responses: { 201: response.json(Attachment, { headers: createdHeaders }), 413: response.problem() },
      docs: { summary: "Attach a file as a stream of bytes", description: "The command line uses this route." },
    }),
    download: route.get("/:attachment", {
      params: z.object({ id: Id, attachment: Id }),
      responses: { 200: response.stream({ headers: z.object({ "content-disposition": z.string() }) }) },
    }),
  },
});

const tasks = router("/tasks", {
  routes: {
    list: route.get("/", {
      query: TaskQuery,
      responses: { 200: response.json(TaskPage, { headers: pageHeaders }) },
      docs: { summary: "Tasks, the newest first" },
    }),
    create: route.post("/", {
      body: NewTask,
      responses: {
        201: response.json(Task, { headers: z.object({ ...createdHeaders.shape, ...versionHeaders.shape }) }),
        422: response.problem({ description: "The project does not exist." }),
      },
    }),
    byId: route.get("/:id", {
      ...task,
      responses: { 200: response.json(Task, { headers: versionHeaders }), 404: NotFound },
    }),
    update: route.patch("/:id", {
      ...changeOfTask,
      body: TaskUpdate,
      responses: { 200: response.json(Task, { headers: versionHeaders }), 404: NotFound, ...preconditions },
      docs: { summary: "Change a task, if `if-match` names its current version" },
    }),
    remove: route.delete("/:id", {
      ...changeOfTask,
      responses: { 204: response.empty(), 404: NotFound, ...preconditions },
    }),
    attachments,
  },
});

export const contract = defineContract({
  basePath: "/api",
  security: [bearer],
  responses: { ...refusals, 400: response.problem() },
  routes: {
    health: route.get("/health", { security: [], responses: { 200: response.text() } }),
    projects,
    tasks,
    changes: route.get("/changes", {
      headers: z.object({ "last-event-id": EventId.optional() }),
      responses: { 200: response.sse(Change) },
      docs: {
        summary: "Changes as server-sent events",
        description:
          "Changes from now on, or after the event that `last-event-id` names. 0 returns all that are stored.",
      },
    }),
  },
});
