import { contract } from "../contract.ts";
import { checkVersion, findTask, formatTag } from "../problems.ts";
import { server } from "../servers.ts";
import { attachments } from "./attachments.ts";
import { linkNext } from "./link_next.ts";

export const tasks = server.implement(contract.routes.tasks, {
  list: ({ query, context: { request, storage }, response }) => {
    const page = storage.tasks.list(query);
    return response(200, page, { link: linkNext(request.url, page.next) });
  },
  create: ({ body, context: { storage }, response }) => {
    if (!storage.projects.has(body.project)) {
      return response(422, { detail: `There is no project ${body.project}` });
    }
    const task = storage.tasks.create(body);
    return response(201, task, { location: `/api/tasks/${task.id}`, etag: formatTag(task) });
  },
  byId: ({ params, context, response }) => {
    const task = findTask(context.storage, params.id, response);
    return response(200, task, { etag: formatTag(task) });
  },
  // Nothing else runs between the check and the change, because neither awaits anything.
  update: ({ params, headers, body, context: { storage }, response }) => {
    const task = findTask(storage, params.id, response);
    checkVersion(task, headers["if-match"], response);
    const updated = storage.tasks.update(task, body);
    return response(200, updated, { etag: formatTag(updated) });
  },
  remove: ({ params, headers, context: { storage }, response }) => {
    checkVersion(findTask(storage, params.id, response), headers["if-match"], response);
    storage.tasks.remove(params.id);
    return response(204);
  },
  attachments,
});
