import type { AutomationObjects } from "../../automation/objects/objects.ts";
import type { ObjectMeta } from "../../objects/object-meta.ts";
import { readyConditionOf } from "../../automation/run/outcome.ts";
import type { AutomationState } from "../../automation/state/automation-state.ts";
import type { Condition, Statuses, StatusKind } from "../../automation/state/object-status.ts";
import { formatJson } from "../../relocation/report/json-text.ts";
import { formatTable, type TableColumn } from "./table.ts";
import type { Terminal } from "./terminal.ts";

interface Known<Kind extends StatusKind> {
  readonly meta: ObjectMeta;
  readonly suspend: boolean;
  readonly status: Statuses[Kind] | undefined;
}

interface SuspendableObject {
  readonly meta: ObjectMeta;
  readonly spec: { readonly suspend: boolean };
}

const identity: readonly TableColumn[] = [{ title: "namespace" }, { title: "name" }];
const suspended: TableColumn = { title: "suspended" };
const readyColumns: readonly TableColumn[] = [{ title: "ready" }, { title: "message", shrinks: true }];

/**
 * Repositories, policies and automations in three tables with the columns of `flux get images all -A`, and the
 * attributes of policies. Every text is escaped.
 */
export function formatStatus(
  objects: AutomationObjects,
  state: AutomationState,
  { width, colours }: Terminal,
): string {
  const options = { width, styleTitle: colours.bold };
  const repositories = knownOf("ImageRepository", objects.imageRepositories, state).map((known) =>
    repositoryRow(known),
  );
  const policies = knownOf("ImagePolicy", objects.imagePolicies, state).map((known) => policyRow(known));
  const automations = knownOf("ImageUpdateAutomation", objects.imageUpdateAutomations, state).map((known) =>
    automationRow(known),
  );
  const image: TableColumn = { title: "image", shrinks: true };
  const attributes: TableColumn = { title: "attributes", shrinks: true };
  const tables: readonly (readonly [readonly TableColumn[], readonly (readonly string[])[]])[] = [
    [[...identity, { title: "last scan" }, suspended, ...readyColumns], repositories],
    [[...identity, image, { title: "tag" }, attributes, ...readyColumns], policies],
    [[...identity, { title: "last run" }, suspended, ...readyColumns], automations],
  ];
  return tables
    .filter(([, rows]) => rows.length > 0)
    .map(([columns, rows]) => formatTable(columns, rows, options))
    .join("\n");
}

/** The same for programs, with the whole status of each object. */
export function describeStatus(objects: AutomationObjects, state: AutomationState): string {
  return formatJson({
    repositories: knownOf("ImageRepository", objects.imageRepositories, state).map((known) =>
      describe(known),
    ),
    policies: knownOf("ImagePolicy", objects.imagePolicies, state).map((known) => describe(known)),
    automations: knownOf("ImageUpdateAutomation", objects.imageUpdateAutomations, state).map((known) =>
      describe(known),
    ),
  });
}

function describe({ meta, suspend, status }: Known<StatusKind>): object {
  const { namespace, name } = meta;
  return { namespace, name, suspended: suspend, status: status ?? null };
}

function repositoryRow({ meta, suspend, status }: Known<"ImageRepository">): readonly string[] {
  const lastScan = timeText(status?.lastScan?.timeMs);
  const name = `imagerepository/${meta.name}`;
  return [meta.namespace, name, lastScan, flag(suspend), ...readiness(status?.conditions)];
}

function policyRow({ meta, status }: Known<"ImagePolicy">): readonly string[] {
  const { name = "", tag = "", attributes = {} } = status?.latestRef ?? {};
  const own = [meta.namespace, `imagepolicy/${meta.name}`];
  return [...own, name, tag, attributesText(attributes), ...readiness(status?.conditions)];
}

function automationRow({ meta, suspend, status }: Known<"ImageUpdateAutomation">): readonly string[] {
  const lastRun = timeText(status?.lastAutomationRunTimeMs);
  const name = `imageupdateautomation/${meta.name}`;
  return [meta.namespace, name, lastRun, flag(suspend), ...readiness(status?.conditions)];
}

function knownOf<Kind extends StatusKind>(
  kind: Kind,
  objects: ReadonlyMap<string, SuspendableObject>,
  state: AutomationState,
): readonly Known<Kind>[] {
  return [...objects]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, { meta, spec }]) => ({ meta, suspend: spec.suspend, status: state.status(kind, meta) }));
}

/** The cells of READY and MESSAGE, as flux fills them. */
function readiness(conditions: readonly Condition[] = []): readonly [string, string] {
  const condition = readyConditionOf(conditions);
  return condition === undefined
    ? ["False", "waiting to be reconciled"]
    : [condition.status, condition.message];
}

function attributesText(attributes: Readonly<Record<string, string>>): string {
  return Object.entries(attributes)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}

function flag(value: boolean): string {
  return value ? "True" : "False";
}

function timeText(timeMs: number | undefined): string {
  return timeMs === undefined ? "" : new Date(timeMs).toISOString().replace(/\.\d+Z$/u, "Z");
}
