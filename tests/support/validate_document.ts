/** Checks OpenAPI documents with independent validators. */
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { OpenApiDocument } from "@scope/api/openapi";
import { assertEquals } from "@std/assert";

/** Redocly's rules about validity, without rules about style. */
const rules = {
  struct: "error",
  "no-unresolved-refs": "error",
  "operation-operationId-unique": "error",
  "operation-operationId-url-safe": "off",
  "operation-parameters-unique": "error",
  "path-parameters-defined": "error",
  "path-declaration-must-exist": "error",
  "no-identical-paths": "error",
  "no-path-trailing-slash": "off",
  "no-schema-type-mismatch": "error",
  "spec-components-invalid-map-name": "error",
  "security-defined": "off",
} as const;

const config = await createConfig({ rules });

/** Fails if one of two independent validators finds an error. */
export async function assertValid(document: OpenApiDocument): Promise<void> {
  assertEquals(await findProblems(document), []);
}

/** Returns the errors that two independent validators find. */
export async function findProblems(document: object): Promise<unknown[]> {
  const text = JSON.stringify(document);
  const { valid, errors } = await new Validator().validate(JSON.parse(text));
  const found = await lintFromString({ source: text, absoluteRef: "document.json", config });
  return [
    ...(valid ? [] : [errors]),
    ...found.map(({ ruleId, message, location }) => ({
      ruleId,
      message,
      where: location.map(({ pointer }) => pointer),
    })),
  ];
}
