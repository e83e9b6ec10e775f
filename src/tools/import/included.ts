/** Decides whether one type certainly accepts all values of another one. */
import { spend } from "../json_schema/steps.ts";
import { areToldApart } from "./overlap.ts";
import { behind, identityOf, type Model, type ModelOf, type ObjectModel, withoutNotes } from "./model.ts";

/** The most pairs of types that are compared. Of more types, one may include another. */
const mostPairs = 50_000;

/** Returns whether one of several types may include another. */
export function hasIncluded(models: readonly Model[], modelOf: ModelOf): boolean {
  if (areToldApart(models.map((model) => behind(model, modelOf)), modelOf)) return false;
  return models.length ** 2 > mostPairs ||
    models.some((inner) => models.some((outer) => inner !== outer && includes(outer, inner, modelOf)));
}

/** The most objects of a type that are compared. */
const mostObjects = 50;

/** Returns the objects that a type consists of, at the first levels of its unions and intersections. */
export function objectsOf(model: Model, modelOf: ModelOf, level = 0): readonly ObjectModel[] {
  spend(1 / 10);
  const target = behind(model, modelOf);
  if (target.kind === "object") return [target];
  if (level > 3 || (target.kind !== "union" && target.kind !== "intersection")) return [];
  const members = target.members.map((member) => objectsOf(member, modelOf, level + 1));
  if (target.kind === "union") return members.flat().slice(0, mostObjects);
  return members.reduce((joined, each) =>
    joined.flatMap((one) =>
      each.map((other): ObjectModel => ({ ...other, properties: [...one.properties, ...other.properties] }))
    ).slice(0, mostObjects)
  );
}

/** Returns whether it is certain that one type accepts all values of another one. */
function includes(outer: Model, inner: Model, modelOf: ModelOf, level = 0): boolean {
  spend(1 / 10);
  const [whole, part] = [behind(outer, modelOf), behind(inner, modelOf)];
  if (whole === part || whole.kind === "unknown") return true;
  if (isPlain(whole) && typesOf(part).every((type) => type === whole.kind)) {
    return whole.kind !== "number" || !whole.isInteger || part.kind !== "number" || part.isInteger;
  }
  if (level > 5) return false;
  const next = (one: Model, other: Model) => includes(one, other, modelOf, level + 1);
  if (part.kind === "union") return part.members.every((member) => next(whole, member));
  if (whole.kind === "union") return whole.members.some((member) => next(member, part));
  if (whole.kind === "literal" && part.kind === "literal") {
    return part.values.every((each) => whole.values.includes(each));
  }
  if (whole.kind === "array" && part.kind === "array") {
    return next(whole.items, part.items) && identityOf({ ...whole, items: part.items }) === identityOf(part);
  }
  if (whole.kind !== part.kind) return false;
  if (whole.kind !== "object" || part.kind !== "object") return identityOf(whole) === identityOf(part);
  spend(whole.properties.length / 10);
  const own = new Map(part.properties.map((property) => [property.name, property]));
  const names = new Set(whole.properties.map(({ name }) => name));
  const isOpen = whole.others === "open" || whole.others === "ignored";
  const hasSame = typeof whole.others === "object" && typeof part.others === "object"
    ? next(whole.others, part.others)
    : part.others === "closed";
  if (!isOpen && !(hasSame && part.properties.every(({ name }) => names.has(name)))) return false;
  return whole.properties.every(({ name, model, isRequired }) => {
    const same = own.get(name);
    return same !== undefined && (same.isRequired || !isRequired) && next(model, same.model);
  });
}

/** Returns whether a type is any text, number or boolean. */
function isPlain(model: Model): boolean {
  if (!["string", "number", "boolean"].includes(model.kind)) return false;
  const allowed = model.kind === "number" ? ["kind", "isInteger", "format"] : ["kind"];
  const names = Object.entries(withoutNotes(model)).flatMap(([name, value]) => value === undefined ? [] : [name]);
  return names.every((name) => allowed.includes(name));
}

function typesOf(model: Model): readonly string[] {
  if (model.kind === "literal") return model.values.map((value) => typeof value);
  return [model.kind === "template" ? "string" : model.kind];
}
