/** An audit finds nothing in servers that do what their documents say: mocks of documents that others wrote. */
import { auditServer } from "@scope/api/audit";
import circular from "@readme/oas-examples/3.0/json/schema-circular.json" with { type: "json" };
import complexNesting from "@readme/oas-examples/3.0/json/complex-nesting.json" with { type: "json" };
import discriminators from "@readme/oas-examples/3.0/json/discriminators.json" with { type: "json" };
import petstore from "@readme/oas-examples/3.0/json/petstore.json" with { type: "json" };
import petstore2 from "@readme/oas-examples/2.0/json/petstore.json" with { type: "json" };
import readme from "@readme/oas-examples/3.0/json/readme-legacy.json" with { type: "json" };
import trainTravel from "@readme/oas-examples/3.1/json/train-travel.json" with { type: "json" };
import { assertEquals } from "@std/assert";
import importedShop from "../../examples/import/openapi.json" with { type: "json" };
import shop from "../../examples/shop/openapi.json" with { type: "json" };
import users from "../../examples/users/openapi.json" with { type: "json" };
import { createFaithfulMock } from "../../scripts/faithful_mock.ts";

const documents: Readonly<Record<string, object>> = {
  "the imported shop": importedShop,
  "the shop of Express": shop,
  users,
  "Petstore of Swagger 2.0": petstore2,
  Petstore: petstore,
  "nested objects": complexNesting,
  discriminators,
  "circular schemas": circular,
  ReadMe: readme,
  "Train Travel": trainTravel,
};

for (const [name, document] of Object.entries(documents)) {
  Deno.test(`auditServer() finds nothing in a mock: ${name}`, async () => {
    const { serve, credentials } = createFaithfulMock(document);
    const { outcome, operations } = await auditServer(document, serve, { credentials, write: true, maxRequests: 200 });

    assertEquals(operations.flatMap(({ findings }) => findings), []);
    assertEquals(outcome, "agrees");
    assertEquals(operations.filter(({ verdict }) => verdict !== "agrees").map(({ reason }) => reason), []);
  });
}
