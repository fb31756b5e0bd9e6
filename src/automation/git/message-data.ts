import { goTypes, type GoType } from "../../helm/go/type.ts";
import { toBytes } from "../../helm/go/utf8.ts";
import { type GoFunction, GoMap, GoSlice, GoStruct, type GoValue } from "../../helm/go/value.ts";
import { FairleadError } from "../../core/error.ts";

/** An object of a manifest, of which some have no name, such as a kustomization. */
export interface ChangedObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** A field that an update changed. */
export interface MessageChange {
  /** Relative to the folder that is updated. */
  readonly file: string;
  readonly object: ChangedObject;
  readonly oldValue: string;
  readonly newValue: string;
  /** The marker's name, such as `flux-system:app:tag`. */
  readonly setter: string;
}

export interface MessageSubject {
  readonly automation: { readonly namespace: string; readonly name: string };
  /** In the order in which `.Changed.Changes` gives them. */
  readonly changes: readonly MessageChange[];
  readonly values: Readonly<Record<string, string>>;
}

/** A template asks for a field that Flux has taken away. */
export class RemovedTemplateFieldError extends FairleadError {
  constructor(field: string, instead: string) {
    super("config-invalid", `the template uses the removed field ${field}`, { hint: `use ${instead}` });
  }
}

const change: GoType = { name: "update.Change", kind: "struct", named: true };
const changes: GoType = { name: "[]update.Change", kind: "slice", element: change };
const types = {
  data: { name: "source.TemplateData", kind: "struct", named: true },
  name: { name: "types.NamespacedName", kind: "struct", named: true },
  result: { name: "update.Result", kind: "struct", named: true },
  object: { name: "update.ObjectIdentifier", kind: "struct", named: true },
  objectChanges: { name: "update.ObjectChanges", kind: "map", element: changes, named: true },
  change,
  changes,
} satisfies Record<string, GoType>;
const fileChanges: GoType = {
  name: "map[string]update.ObjectChanges",
  kind: "map",
  element: types.objectChanges,
};

/** What a template of a commit message sees: Flux's `source.TemplateData` (image-automation-controller). */
export function messageData({ automation, changes, values }: MessageSubject): GoStruct {
  const texts = Object.entries(values).map(([key, value]) => [toBytes(key), toBytes(value)] as const);
  return new GoStruct(
    types.data,
    [
      ["AutomationObject", new NamespacedName(automation)],
      ["Changed", changedOf(changes)],
      ["Values", new GoMap(texts, goTypes.stringMap)],
    ],
    [["Updated", removed(".Updated", ".Changed")]],
  );
}

function changedOf(changes: readonly MessageChange[]): GoStruct {
  const files = new GoMap(
    [...Map.groupBy(changes, ({ file }) => file)].map(
      ([file, inFile]) => [toBytes(file), new ObjectChanges(inFile)] as const,
    ),
    fileChanges,
  );
  return new GoStruct(
    types.result,
    [["FileChanges", files]],
    [
      ["Changes", method(() => sliceOf(distinct(changes)))],
      ["Objects", method(() => new ObjectChanges(changes))],
      ["ImageResult", removed(".Changed.ImageResult", ".Changed.FileChanges or .Changed.Objects")],
    ],
  );
}

/** Each change once, although it was made in several places. */
function distinct(changes: readonly MessageChange[]): readonly MessageChange[] {
  const keyed = changes.map(
    (made) => [[made.setter, made.oldValue, made.newValue].join("\0"), made] as const,
  );
  return [...new Map(keyed.toReversed()).values()].toReversed();
}

function sliceOf(made: readonly MessageChange[]): GoSlice {
  const items = made.map(
    ({ oldValue, newValue, setter }) =>
      new GoStruct(types.change, [
        ["OldValue", toBytes(oldValue)],
        ["NewValue", toBytes(newValue)],
        ["Setter", toBytes(setter)],
      ]),
  );
  return new GoSlice(items, types.changes);
}

function method(call: () => GoValue): GoFunction {
  return { parameters: [], call };
}

function removed(field: string, instead: string): GoFunction {
  return method(() => {
    throw new RemovedTemplateFieldError(field, instead);
  });
}

/** Changes by object: a map whose keys are structs. */
class ObjectChanges extends GoMap {
  readonly #objects = new Map<string, ChangedObject>();

  constructor(changes: readonly MessageChange[]) {
    const groups = Map.groupBy(changes, ({ object }) => objectKey(object));
    super(
      [...groups].map(([key, made]) => [key, sliceOf(made)] as const),
      types.objectChanges,
    );
    for (const { object } of changes) this.#objects.set(objectKey(object), object);
  }

  override keyValue(key: string): GoValue {
    const object = this.#objects.get(key);
    return object === undefined ? key : objectStruct(object);
  }
}

/** Sorted, the keys are in the order in which Go sorts the fields of the struct. */
function objectKey({ apiVersion, kind, name, namespace }: ChangedObject): string {
  return [apiVersion, kind, name, namespace].map(toBytes).join("\0");
}

function objectStruct({ apiVersion, kind, name, namespace }: ChangedObject): GoStruct {
  return new GoStruct(types.object, [
    ["APIVersion", toBytes(apiVersion)],
    ["Kind", toBytes(kind)],
    ["Name", toBytes(name)],
    ["Namespace", toBytes(namespace)],
  ]);
}

class NamespacedName extends GoStruct {
  readonly #text: string;

  constructor({ namespace, name }: MessageSubject["automation"]) {
    super(types.name, [
      ["Namespace", toBytes(namespace)],
      ["Name", toBytes(name)],
    ]);
    this.#text = toBytes(`${namespace}/${name}`);
  }

  override text(): string {
    return this.#text;
  }
}
