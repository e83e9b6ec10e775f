// Written by @scope/api/slim/cli from ./contract.ts. If it is out of date, it does not compile: write it again.
import {
  bearerCredential,
  empty,
  formData,
  json,
  problem,
  requestStream,
  responseStream,
  responseText,
  type SlimContract,
  slimContract,
  sse,
} from "@scope/api/slim";
import type { contract as whole } from "./contract.ts";

export const contract: SlimContract<typeof whole> = slimContract<typeof whole>({
  health: ["GET", "/api/health", {}, { 200: responseText, 400: problem, 401: [problem, { headers: 1 }] }],
  projects: {
    list: [
      "GET",
      "/api/projects",
      { query: 1 },
      { 200: [json, { headers: 1 }], 400: problem, 401: [problem, { headers: 1 }] },
      ["bearer"],
    ],
    create: [
      "POST",
      "/api/projects",
      { body: json },
      { 201: json, 400: problem, 401: [problem, { headers: 1 }] },
      ["bearer"],
    ],
  },
  tasks: {
    list: [
      "GET",
      "/api/tasks",
      { query: 1 },
      { 200: [json, { headers: 1 }], 400: problem, 401: [problem, { headers: 1 }] },
      ["bearer"],
    ],
    create: [
      "POST",
      "/api/tasks",
      { body: json },
      { 201: [json, { headers: 1 }], 400: problem, 401: [problem, { headers: 1 }], 422: problem },
      ["bearer"],
    ],
    byId: [
      "GET",
      "/api/tasks/:id",
      { params: 1 },
      { 200: [json, { headers: 1 }], 400: problem, 401: [problem, { headers: 1 }], 404: problem },
      ["bearer"],
    ],
    update: [
      "PATCH",
      "/api/tasks/:id",
      { params: 1, headers: 1, body: json },
      {
        200: [json, { headers: 1 }],
        400: problem,
        401: [problem, { headers: 1 }],
        404: problem,
        412: problem,
        428: problem,
      },
      ["bearer"],
    ],
    remove: [
      "DELETE",
      "/api/tasks/:id",
      { params: 1, headers: 1 },
      { 204: empty, 400: problem, 401: [problem, { headers: 1 }], 404: problem, 412: problem, 428: problem },
      ["bearer"],
    ],
    attachments: {
      list: [
        "GET",
        "/api/tasks/:id/attachments",
        { params: 1 },
        { 200: json, 400: problem, 401: [problem, { headers: 1 }], 404: problem },
        ["bearer"],
      ],
      upload: [
        "POST",
        "/api/tasks/:id/attachments",
        { params: 1, body: [formData, { maxBytes: 20000000 }] },
        { 201: [json, { headers: 1 }], 400: problem, 401: [problem, { headers: 1 }], 404: problem, 413: problem },
        ["bearer"],
      ],
      send: [
        "PUT",
        "/api/tasks/:id/attachments/:name",
        { params: 1, body: [requestStream, { maxBytes: 20000000 }] },
        { 201: [json, { headers: 1 }], 400: problem, 401: [problem, { headers: 1 }], 404: problem, 413: problem },
        ["bearer"],
      ],
      download: [
        "GET",
        "/api/tasks/:id/attachments/:attachment",
        { params: 1 },
        { 200: [responseStream, { headers: 1 }], 400: problem, 401: [problem, { headers: 1 }], 404: problem },
        ["bearer"],
      ],
    },
  },
  changes: [
    "GET",
    "/api/changes",
    { headers: 1 },
    { 200: sse, 400: problem, 401: [problem, { headers: 1 }] },
    ["bearer"],
  ],
}, {
  bearer: bearerCredential(),
});
