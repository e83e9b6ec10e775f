/**
 * The schemas of requests and responses. `meta` names them in the OpenAPI document.
 *
 * @module
 */
import * as z from "zod";

z.config({ jitless: true }); // without it, Zod compiles functions from text, which the policy of the page forbids

/** An id in a path or a query, where it arrives as text. Clients may pass a number. */
export const Id = z.coerce.number<string | number>().int().positive().max(Number.MAX_SAFE_INTEGER);

export const EventId = z.coerce.number<string | number>().int().min(0);

/** Text with more than whitespace. Unlike a minimum length, the pattern is also in the OpenAPI document. */
const Text = z.string().trim().regex(/\S/, "must not be blank");

const Tag = Text.max(30);
const Title = Text.max(200).meta({ examples: ["Write the guide"] });
const Notes = z.string().max(10_000);
const Tags = z.array(Tag).max(20).meta({ examples: [["docs"]] });

export const Project = z.object({ id: z.int(), name: z.string() }).meta({ id: "Project" });
export const NewProject = z.object({ name: Text.max(100).meta({ examples: ["Release"] }) });

export const Task = z.object({
  id: z.int(),
  project: z.int().meta({ description: "The id of its project" }),
  title: z.string(),
  notes: z.string(),
  tags: z.array(z.string()),
  done: z.boolean(),
  version: z.int().meta({ description: "Increases with every change. In quotes, it is the ETag" }),
  changed: z.iso.datetime(),
}).meta({ id: "Task" });

export const NewTask = z.object({
  project: z.int().positive().default(1),
  title: Title,
  notes: Notes.default(""),
  tags: Tags.default([]),
}).meta({ id: "NewTask" });

export const TaskUpdate = z.object({ title: Title, notes: Notes, tags: Tags, done: z.boolean() })
  .partial().meta({ id: "TaskUpdate", examples: [{ done: true }] });

const Paging = {
  after: Id.optional().meta({ description: "The `next` of the page before" }),
  limit: z.coerce.number<string | number>().int().min(1).max(100).default(20),
};

export const ProjectQuery = z.object(Paging);

export const TaskQuery = z.object({
  ...Paging,
  project: Id.optional(),
  search: z.string().max(200).optional().meta({ description: "Text that the title or the notes contain" }),
  tag: z.array(Tag).max(20).optional().meta({ description: "Tags that the task must all have" }),
  done: z.stringbool({ truthy: ["true"], falsy: ["false"], case: "sensitive" }).optional()
    .meta({ enum: ["true", "false"] }),
});

const next = z.int().nullable().meta({ description: "The `after` of the next page; null on the last" });
export const ProjectPage = z.object({ items: z.array(Project), next }).meta({ id: "ProjectPage" });
export const TaskPage = z.object({ items: z.array(Task), next }).meta({ id: "TaskPage" });

export const Attachment = z.object({
  id: z.int(),
  task: z.int(),
  name: z.string(),
  size: z.int().meta({ description: "In bytes" }),
}).meta({ id: "Attachment" });

export const FileName = z.string().min(1).max(200);

/** A form with one file. If the user chose no file, the form has a file without a name. */
export const AttachmentForm = z.object({
  file: z.file().refine(({ name }) => FileName.safeParse(name).success, "Choose a file whose name is not too long"),
});

/** A change, as sent in the event stream. */
export const Change = z.discriminatedUnion("type", [
  z.object({ type: z.literal("project.created"), project: Project }),
  z.object({ type: z.literal(["task.created", "task.updated"]), task: Task }),
  z.object({ type: z.literal("task.deleted"), id: z.int() }),
  z.object({ type: z.literal("attachment.added"), attachment: Attachment }),
]).meta({ id: "Change" });

export type Project = z.infer<typeof Project>;
export type Task = z.infer<typeof Task>;
export type NewTask = z.infer<typeof NewTask>;
export type TaskUpdate = z.infer<typeof TaskUpdate>;
export type TaskPage = z.infer<typeof TaskPage>;
export type TaskQuery = z.infer<typeof TaskQuery>;
export type Attachment = z.infer<typeof Attachment>;
export type Change = z.infer<typeof Change>;
