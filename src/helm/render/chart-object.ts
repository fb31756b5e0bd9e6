import type { ChartDependency, ChartInstance, EnabledDependency, HelmVersion } from "../chart/chart.ts";
import { describeMetadata, type Maintainer } from "../chart/metadata-details.ts";
import { goTypes, type GoType } from "../go/type.ts";
import { toBytes } from "../go/utf8.ts";
import {
  GoMap,
  GoSlice,
  GoStruct,
  isTrue,
  listOf,
  nilMap,
  nilSlice,
  untracked,
  type GoValue,
} from "../go/value.ts";
import { helmTypesOf } from "./go-types.ts";
import { createMark, type Mark } from "./source-tracking.ts";

interface ChartObjectOptions {
  readonly helm: HelmVersion;
  readonly tracking: boolean;
}

/** A field of a Go struct: its name, the key that JSON has for it, and its value. */
interface Field {
  readonly name: string;
  readonly key: string;
  readonly value: GoValue;
  /** Whether JSON has it although it is empty. */
  readonly isAlwaysWritten?: true;
}

/**
 * `.Chart`: in Helm 3 a struct with the fields of Chart.yaml, in Helm 4 a map of them, in both with `IsRoot`
 * (pkg/engine/engine.go, recAllTpls). The name is the alias where one is given, and of the dependencies only
 * those are there that are switched on.
 */
export function createChartObject(instance: ChartInstance, options: ChartObjectOptions): GoValue {
  const fields = metadataFields(instance, options);
  const isRoot: Field = {
    name: "IsRoot",
    key: "IsRoot",
    value: instance.path.length === 0,
    isAlwaysWritten: true,
  };
  return options.helm === "helm3" ? new ChartStruct(fields, isRoot) : mapOf([...fields, isRoot]);
}

function metadataFields(instance: ChartInstance, { helm, tracking }: ChartObjectOptions): Field[] {
  const { metadata } = instance.chart;
  const details = describeMetadata(metadata);
  const types = helmTypesOf(helm);
  const chart = instance.templateFolder;
  const mark = createMark(tracking);
  const marked = (name: string, value: string | boolean): GoValue =>
    mark(typeof value === "string" ? toBytes(value) : value, () => ({
      kind: "metadata",
      chart,
      field: `Chart.${name}`,
    }));
  const text = (name: string, value: string): Field => ({
    name,
    key: jsonKey(name),
    value: marked(name, value),
  });
  const texts = (name: string, values: readonly string[] | undefined): Field => ({
    name,
    key: jsonKey(name),
    value: sliceOf(
      values?.map((value) => marked(name, value)),
      goTypes.stringSlice,
    ),
  });
  const maintainers = details.maintainers?.map(
    (maintainer) => new TaggedStruct(types.maintainer, maintainerFields(maintainer, mark, chart)),
  );
  const dependencies = filled(instance.dependencies)?.map(
    (dependency) => new TaggedStruct(types.dependency, dependencyFields(dependency)),
  );
  return [
    text("Name", instance.name),
    text("Home", details.home),
    texts("Sources", details.sources),
    text("Version", metadata.version),
    text("Description", metadata.description ?? ""),
    texts("Keywords", details.keywords),
    { name: "Maintainers", key: "maintainers", value: sliceOf(maintainers, types.maintainers) },
    text("Icon", details.icon),
    { ...text("APIVersion", metadata.apiVersion), key: "apiVersion" },
    text("Condition", details.condition),
    text("Tags", details.tags),
    text("AppVersion", metadata.appVersion ?? ""),
    { name: "Deprecated", key: "deprecated", value: marked("Deprecated", details.deprecated) },
    { name: "Annotations", key: "annotations", value: annotationsOf(details.annotations, marked) },
    text("KubeVersion", metadata.kubeVersion ?? ""),
    { name: "Dependencies", key: "dependencies", value: sliceOf(dependencies, types.dependencies) },
    text("Type", details.type),
  ];
}

function annotationsOf(
  annotations: ReadonlyMap<string, string> | undefined,
  marked: (name: string, value: string) => GoValue,
): GoMap {
  if (annotations === undefined) return nilMap(goTypes.stringMap);
  const entries = [...annotations].map(
    ([key, value]) => [toBytes(key), marked(`Annotations.${key}`, value)] as const,
  );
  return new GoMap(entries, goTypes.stringMap);
}

function maintainerFields(maintainer: Maintainer, mark: Mark, chart: string): Field[] {
  const field = (name: string, value: string): Field => ({
    name,
    key: name.toLowerCase(),
    value: mark(toBytes(value), () => ({ kind: "metadata", chart, field: `Chart.Maintainers.${name}` })),
  });
  return [field("Name", maintainer.name), field("Email", maintainer.email), field("URL", maintainer.url)];
}

function dependencyFields({ name, source }: EnabledDependency): Field[] {
  return [
    { ...plainField("Name", name), isAlwaysWritten: true },
    plainField("Version", source.version),
    { ...plainField("Repository", source.repository), isAlwaysWritten: true },
    plainField("Condition", source.condition),
    { name: "Tags", key: "tags", value: sliceOf(filled(source.tags)?.map(toBytes), goTypes.stringSlice) },
    { name: "Enabled", key: "enabled", value: true },
    {
      name: "ImportValues",
      key: "import-values",
      value: sliceOf(filled(source.importValues)?.map(importOf), goTypes.anySlice),
    },
    plainField("Alias", source.alias),
  ];
}

function plainField(name: string, value: string | undefined): Field {
  return { name, key: jsonKey(name), value: toBytes(value ?? "") };
}

/** Helm has replaced short forms by the time that templates see them. */
function importOf(entry: ChartDependency["importValues"][number]): GoMap {
  const { child, parent } = typeof entry === "string" ? { child: `exports.${entry}`, parent: "." } : entry;
  return new GoMap(
    [
      ["child", toBytes(child)],
      ["parent", toBytes(parent)],
    ],
    goTypes.stringMap,
  );
}

/** A slice; nil where there is nothing that it could be of. */
function sliceOf(items: readonly GoValue[] | undefined, type: GoType): GoSlice {
  return items === undefined ? nilSlice(type) : new GoSlice([...items], type);
}

function filled<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}

function jsonKey(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** A Go struct whose fields have JSON tags with `omitempty`. */
class TaggedStruct extends GoStruct {
  readonly tagged: readonly Field[];

  constructor(type: GoType, fields: readonly Field[]) {
    super(
      type,
      fields.map(({ name, value }) => [name, value] as const),
    );
    this.tagged = fields;
  }

  override toJson(): GoMap {
    const written = this.tagged.filter(
      ({ value, isAlwaysWritten }) => isAlwaysWritten === true || isTrue(value),
    );
    return new GoMap(written.map(({ key, value }) => [key, value] as const));
  }
}

/** Helm 3's `struct { chart.Metadata; IsRoot bool }`. */
class ChartStruct extends TaggedStruct {
  readonly #declared: ReadonlyMap<string, GoValue>;

  constructor(metadata: readonly Field[], isRoot: Field) {
    const types = helmTypesOf("helm3");
    super(types.chart, [...metadata, isRoot]);
    this.#declared = new Map<string, GoValue>([
      ["Metadata", new TaggedStruct(types.metadata, metadata)],
      [isRoot.name, isRoot.value],
    ]);
  }

  override declaredFields(): ReadonlyMap<string, GoValue> {
    return this.#declared;
  }
}

/** What Helm 4 makes of a struct: a map by the names of its fields, with what is in it made maps and slices too. */
function mapOf(fields: readonly Field[]): GoMap {
  return new GoMap(fields.map(({ name, value }) => [name, withoutStructs(value)] as const));
}

function withoutStructs(value: GoValue): GoValue {
  const plain = untracked(value);
  if (plain instanceof TaggedStruct) return mapOf(plain.tagged);
  return plain instanceof GoSlice ? listOf(plain.items.map(withoutStructs)) : value;
}
