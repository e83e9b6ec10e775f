import { contract } from "../contract.ts";
import { findTask } from "../problems.ts";
import type { Attachment } from "../schemas.ts";
import { server } from "../servers.ts";

export const attachments = server.implement(contract.routes.tasks.attachments, {
  list: ({ params, context: { storage }, response }) => {
    findTask(storage, params.id, response);
    return response(200, storage.attachments.list(params.id));
  },
  upload: async ({ params: { id }, body: { file }, context: { storage }, response }) => {
    findTask(storage, id, response);
    const attachment = await storage.attachments.receive(id, file.name, file.stream());
    if (!attachment) return response(404, { detail: `Task ${id} was removed meanwhile` });
    return response(201, attachment, { location: locate(attachment) });
  },
  send: async ({ params: { id, name }, body, context: { storage }, response }) => {
    findTask(storage, id, response);
    const attachment = await storage.attachments.receive(id, name, body);
    if (!attachment) return response(404, { detail: `Task ${id} was removed meanwhile` });
    return response(201, attachment, { location: locate(attachment) });
  },
  download: ({ params, context: { storage }, response }) => {
    const attachment = storage.attachments.find(params.id, params.attachment);
    if (!attachment) return response(404, { detail: `Task ${params.id} has no attachment ${params.attachment}` });
    const headers = { "content-disposition": formatDisposition(attachment.name) };
    return response(200, storage.attachments.read(attachment), headers);
  },
});

function locate({ task, id }: Attachment): string {
  return `/api/tasks/${task}/attachments/${id}`;
}

/** Makes the browser save the file, not show it. The name may have any characters (RFC 8187). */
function formatDisposition(name: string): string {
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}
