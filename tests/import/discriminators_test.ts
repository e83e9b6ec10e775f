/** A discriminator says which schema an object is: its import tells the schemas apart, and keeps objects whole. */
import { importContract, readOpenApi, writeContract } from "@scope/api/import";
import { mockContract } from "@scope/api/mock";
import { assertEquals } from "@std/assert";
import { assertDecisions, documentOfValue } from "./writers.ts";

const text = { type: "string" };

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

function object(properties: object, required: readonly string[] = []): object {
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

/** A base, and two schemas that extend it. */
function vehicles(discriminator: object | string, kind: object = text): Record<string, object> {
  return {
    Vehicle: { ...object({ kind }, ["kind"]), discriminator },
    Car: { allOf: [ref("Vehicle"), object({ doors: { type: "integer" } }, ["doors"])] },
    Bike: { allOf: [ref("Vehicle"), object({ gears: { type: "integer" } })] },
  };
}

const kind = { propertyName: "kind" };
const car = { kind: "Car", doors: 4 };
const bike = { kind: "Bike", gears: 21 };

Deno.test("a base with a discriminator is one of the schemas that extend it, by their names", async () => {
  const { faults } = await assertDecisions(documentOfValue(ref("Vehicle"), vehicles(kind), "3.0.3"), {
    kept: [car, bike, { kind: "Vehicle" }],
    refused: [{ kind: "Car" }, { kind: "Car", doors: "four" }, { kind: "Truck" }],
  });
  assertEquals(faults, [{
    place: "#/components/schemas/Vehicle/discriminator",
    message:
      'the discriminator "kind" selects the schema ("Vehicle" for Vehicle, "Car" for Car, "Bike" for Bike); other objects are refused',
  }]);
});

Deno.test("a mapping names schemas by reference or by name; those that it leaves out have their own", async () => {
  for (const target of ["#/components/schemas/Car", "Car"]) {
    const mapped = vehicles({ ...kind, mapping: { car: target, auto: target } });
    await assertDecisions(documentOfValue(ref("Vehicle"), mapped), {
      kept: [{ kind: "car", doors: 4 }, { kind: "auto", doors: 4 }, bike],
      refused: [car, { kind: "Vehicle" }],
    });
  }
});

Deno.test("a mapping may name a schema that does not extend the base, or that the document does not define", async () => {
  const schemas = {
    Vehicle: {
      ...object({ kind: text, wheels: { type: "integer" } }, ["kind"]),
      discriminator: {
        ...kind,
        mapping: { car: "Car", boat: "#/components/schemas/Boat" },
      },
    },
    Car: object({ doors: { type: "integer" } }),
  };
  const { faults } = await assertDecisions(documentOfValue(ref("Vehicle"), schemas), {
    kept: [{ kind: "car", wheels: 4, doors: 2 }],
  });
  assertEquals(faults[0], {
    place: "#/components/schemas/Vehicle/discriminator/mapping/boat",
    message: 'the document does not define "#/components/schemas/Boat"',
  });
});

Deno.test("a schema that extends a base is a base itself, if others extend it", async () => {
  const schemas = {
    ...vehicles(kind),
    Sports: { allOf: [ref("Car"), object({ turbo: { type: "boolean" } })] },
    Racer: { allOf: [ref("Sports"), object({ number: { type: "integer" } })] },
  };
  const sports = { kind: "Sports", doors: 2, turbo: true };
  const racer = { kind: "Racer", doors: 2, turbo: true, number: 7 };
  await assertDecisions(documentOfValue(ref("Vehicle"), schemas), { kept: [car, bike, sports, racer] });
  await assertDecisions(documentOfValue(ref("Car"), schemas), { kept: [car, sports, racer], refused: [bike] });
});

Deno.test("a schema that extends a base may be a base itself, by another property", async () => {
  const motors = {
    ...vehicles({ ...kind, mapping: { motor: "Motor", bike: "Bike" } }),
    Motor: {
      allOf: [ref("Vehicle"), object({ fuel: text }, ["fuel"])],
      discriminator: { propertyName: "fuel", mapping: { volt: "Electric", petrol: "Petrol" } },
    },
    Electric: { allOf: [ref("Motor"), object({ range: { type: "integer" } }, ["range"])] },
    Petrol: { allOf: [ref("Motor"), object({ tank: { type: "integer" } }, ["tank"])] },
  };
  const schemas = Object.fromEntries(Object.entries(motors).filter(([name]) => name !== "Car"));
  await assertDecisions(documentOfValue(ref("Vehicle"), schemas), {
    kept: [
      { kind: "bike", gears: 21 },
      { kind: "motor", fuel: "volt", range: 400 },
      { kind: "motor", fuel: "petrol", tank: 50 },
    ],
    refused: [{ kind: "motor", fuel: "volt" }, { kind: "motor", fuel: "petrol", range: 400 }, { kind: "motor" }],
  });
});

Deno.test("a place that only wraps a base, or adds to it, is one of its schemas", async () => {
  const schema = object({
    own: { allOf: [ref("Vehicle")], nullable: true, description: "May be null." },
    named: ref("Wrapped"),
    noted: { allOf: [ref("Vehicle"), object({ note: text })] },
  });
  const schemas = { ...vehicles(kind), Wrapped: { allOf: [ref("Vehicle")], description: "A vehicle." } };
  await assertDecisions(documentOfValue(schema, schemas, "3.0.3"), {
    kept: [{ own: null, named: car, noted: { ...bike, note: "b" } }, { own: car }],
  });
});

Deno.test("schemas of one direction, and those that refer to their base, are told apart", async () => {
  const id = { type: "string", readOnly: true };
  const schemas = {
    ...vehicles(kind),
    Car: { allOf: [ref("Vehicle"), object({ id, tows: ref("Vehicle") })] },
  };
  await assertDecisions(documentOfValue(ref("Vehicle"), schemas), {
    kept: [{ kind: "Car", tows: { kind: "Car", tows: bike } }],
    refused: [{ kind: "Car", tows: { kind: "Truck" } }],
  });
  const { files } = writeContract(documentOfValue(ref("Vehicle"), schemas), { schemas: "none" });
  assertEquals(
    files.find(({ path }) => path === "schemas/all.ts")?.text,
    `\
export type VehicleByKindInput = { kind: "Vehicle" };

export type BikeInput = { kind: "Bike"; gears?: number | undefined };

export type VehicleInput = VehicleByKindInput | CarInput | BikeInput;

export type CarInput = { kind: "Car"; tows?: VehicleInput | undefined };

export type VehicleByKind = { kind: "Vehicle" };

export type Bike = { kind: "Bike"; gears?: number | undefined };

export type Vehicle = VehicleByKind | Car | Bike;

export type Car = { kind: "Car"; id?: string | undefined; tows?: Vehicle | undefined };
`,
  );
});

Deno.test("values that the schemas declare themselves say which one an object is", async () => {
  const listed = vehicles(kind, { type: "string", enum: ["Car", "Bike"] });
  await assertDecisions(documentOfValue(ref("Vehicle"), listed), {
    kept: [car, bike],
    refused: [{ kind: "Vehicle" }, { kind: "Bike", gears: "x" }],
  });
  const own = (name: string, value: string): object => object({ kind: { const: value }, [name]: text }, ["kind"]);
  const { faults } = await assertDecisions(
    documentOfValue({ oneOf: [ref("A"), ref("B")], discriminator: kind }, { A: own("a", "x"), B: own("b", "y") }),
    { kept: [{ kind: "x", a: "1" }, { kind: "y", b: "2" }], refused: [{ kind: "A" }] },
  );
  assertEquals(faults, []);
});

Deno.test("the members of oneOf and anyOf have the values that a mapping, or their names, give them", async () => {
  const member = (name: string): object => object({ kind: text, [name]: text }, ["kind"]);
  const schemas = { Cat: member("name"), Dog: member("bark") };
  for (const keyword of ["oneOf", "anyOf"]) {
    const choice = { [keyword]: [ref("Cat"), ref("Dog")], discriminator: kind };
    await assertDecisions(documentOfValue(choice, schemas), {
      kept: [{ kind: "Cat", name: "Tom" }, { kind: "Dog", bark: "loud" }],
    });
    const mapping = { kitty: "#/components/schemas/Cat", doggo: "Dog" };
    await assertDecisions(documentOfValue({ ...choice, discriminator: { ...kind, mapping } }, schemas), {
      kept: [{ kind: "kitty", name: "Tom" }, { kind: "doggo", bark: "loud" }],
    });
  }
});

Deno.test("a property of a discriminator may be a number, may be absent from a schema, and may have a default", async () => {
  const numbered = (name: string): object => object({ kind: { type: "integer" }, [name]: text }, ["kind"]);
  const mapping = { 1: "#/components/schemas/A", 2: "B" };
  const choice = (discriminator: object): object => ({ oneOf: [ref("A"), ref("B")], discriminator });
  await assertDecisions(
    documentOfValue(choice({ ...kind, mapping }), { A: numbered("a"), B: numbered("b") }),
    { kept: [{ kind: 1, a: "x" }, { kind: 2, b: "y" }] },
  );
  await assertDecisions(
    documentOfValue(choice(kind), { A: object({ a: text }), B: object({ b: text }) }),
    { kept: [{ kind: "A", a: "x" }, { kind: "B", b: "y" }] },
  );
  await assertDecisions(
    documentOfValue(
      choice({ ...kind, mapping: { a: "A" }, defaultMapping: "B" }),
      { A: object({ kind: text, a: text }, ["kind"]), B: object({ kind: text, b: text }) },
      "3.2.0",
    ),
    { kept: [{ kind: "a", a: "x" }, { kind: "any", b: "y" }] },
  );
});

Deno.test("the discriminator of Swagger 2.0 is the name of a property", async () => {
  const moved = JSON.parse(
    JSON.stringify(vehicles("kind")).replaceAll("#/components/schemas/", "#/definitions/"),
  );
  const schema = { $ref: "#/definitions/Vehicle" };
  const post = {
    operationId: "send",
    tags: ["All"],
    parameters: [{ in: "body", name: "vehicle", required: true, schema }],
    responses: { 200: { description: "", schema } },
  };
  await assertDecisions(
    { swagger: "2.0", info: { title: "", version: "" }, paths: { "/values": { post } }, definitions: moved },
    { kept: [car, bike, { kind: "Vehicle" }], refused: [{ kind: "Truck" }] },
  );
});

Deno.test("a discriminator and the schemas that extend its base may be in several files", async () => {
  const extend = (more: object): object => ({ allOf: [{ $ref: "vehicle.json" }, object(more)] });
  const mapping = { car: "car.json", bike: "more.json#/components/schemas/Bike" };
  const files: Readonly<Record<string, object>> = {
    "file:///api/openapi.json": documentOfValue({ $ref: "vehicle.json" }),
    "file:///api/vehicle.json": { ...object({ kind: text }, ["kind"]), discriminator: { ...kind, mapping } },
    "file:///api/car.json": extend({ doors: { type: "integer" } }),
    "file:///api/more.json": { components: { schemas: { Bike: extend({ gears: { type: "integer" } }) } } },
  };
  const source = await readOpenApi("file:///api/openapi.json", (url) => Promise.resolve(files[url]));
  await assertDecisions(source, {
    kept: [{ kind: "car", doors: 4 }, { kind: "bike", gears: 3 }],
    refused: [{ kind: "car", doors: "four" }],
  });
});

Deno.test("the fields of a form that may be of several schemas are those of all of them", async () => {
  const grant = (name: string): object => object({ kind: { const: name }, [name]: text }, ["kind", name]);
  const schema = { oneOf: [ref("code"), ref("token")], discriminator: kind };
  const post = {
    operationId: "grant",
    tags: ["All"],
    requestBody: { required: true, content: { "application/x-www-form-urlencoded": { schema } } },
    responses: { 204: { description: "" } },
  };
  const { contract, report } = importContract({
    openapi: "3.1.0",
    info: { title: "Forms", version: "1" },
    paths: { "/grant": { post } },
    components: { schemas: { code: grant("code"), token: grant("token") } },
  });
  assertEquals(report.operations[0]?.changes, []);
  assertEquals(report.unchecked.map(({ message }) => message), ["which fields of a form belong together"]);
  const mock = mockContract(contract);
  const send = async (fields: Record<string, string>): Promise<number> =>
    (await mock(new Request("http://localhost/grant", { method: "POST", body: new URLSearchParams(fields) }))).status;
  assertEquals(await send({ kind: "code", code: "1" }), 204);
  assertEquals(await send({ kind: "token", token: "2" }), 204);
  assertEquals(await send({ kind: "password" }), 400);
});
