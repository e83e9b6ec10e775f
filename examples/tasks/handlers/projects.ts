import { contract } from "../contract.ts";
import { server } from "../servers.ts";
import { linkNext } from "./link_next.ts";

export const projects = server.implement(contract.routes.projects, {
  list: ({ query, context: { request, storage }, response }) => {
    const page = storage.projects.list(query);
    return response(200, page, { link: linkNext(request.url, page.next) });
  },
  create: ({ body, context, response }) => response(201, context.storage.projects.create(body.name)),
});
