import type * as api from "@scope/api/types";

export interface Routes {
  readonly send: api.DeclaredRoute<{
    key: "all.send";
    method: "POST";
    path: "/values";
    body: api.DeclaredBody<"json", Array<Record<string, unknown>> | Array<Array<unknown>>>;
    responses: {
      200: api.DeclaredResponse<"json", Array<Record<string, unknown>> | Array<Array<unknown>>>;
    };
  }>;
}
