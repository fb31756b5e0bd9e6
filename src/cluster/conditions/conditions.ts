/** What is found of an object in one respect. */
export interface Finding {
  /** `Ready`, `Reconciling`, `Stalled`, or a controller's own. */
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
}

/** A condition as a Kubernetes object's status holds it (metav1.Condition). */
export interface Condition extends Finding {
  readonly observedGeneration?: number;
  /** When its status was another for the last time: RFC 3339, in seconds. */
  readonly lastTransitionTime: string;
}

interface Observation {
  /** The generation of the object that was looked at. */
  readonly generation: number;
  readonly nowMs: number;
}

/** As Flux orders them; others come after these. */
const order: readonly string[] = ["Stalled", "Reconciling", "Ready"];
const maxMessageLength = 32_768;

/**
 * The conditions of an object after it was looked at. They go together as kstatus expects: an object that is Ready is
 * neither Reconciling nor Stalled, one that is Stalled is not Reconciling, and one that is either says in Ready why.
 * @param before its conditions until now; those of types that others look after stay as they are
 */
export function mergeConditions(
  before: readonly Condition[],
  findings: readonly Finding[],
  { generation, nowMs }: Observation,
): readonly Condition[] {
  const settled = settle(new Map(findings.map((finding) => [finding.type, finding])));
  const found = Array.from(settled.values(), ({ type, status, reason, message }): Condition => {
    const known = before.find((condition) => condition.type === type);
    const lastTransitionTime = known?.status === status ? known.lastTransitionTime : formatTime(nowMs);
    const told = shorten(message);
    return { type, status, reason, message: told, observedGeneration: generation, lastTransitionTime };
  });
  const others = before.filter(({ type }) => !order.includes(type) && !settled.has(type));
  return [...found, ...others].toSorted(compare);
}

/**
 * What `status.observedGeneration` is to say: the generation that was looked at once the object is Ready or Stalled,
 * and until then what it says now.
 */
export function observedGenerationOf(
  conditions: readonly Finding[],
  generation: number,
  before: number | undefined,
): number {
  const isSettled = conditions.some(
    ({ type, status }) => status === "True" && (type === "Ready" || type === "Stalled"),
  );
  return isSettled ? generation : (before ?? -1);
}

function settle(findings: ReadonlyMap<string, Finding>): ReadonlyMap<string, Finding> {
  const settled = new Map(findings);
  const ready = findings.get("Ready");
  const stalled = trueOnly(findings.get("Stalled"));
  const isReady = stalled === undefined && ready?.status === "True";
  const reconciling = stalled === undefined && !isReady ? trueOnly(findings.get("Reconciling")) : undefined;
  if (stalled === undefined) settled.delete("Stalled");
  if (reconciling === undefined) settled.delete("Reconciling");
  if (stalled !== undefined && ready?.status !== "False") {
    settled.set("Ready", { ...stalled, type: "Ready", status: "False" });
  } else if (reconciling !== undefined && ready === undefined) {
    settled.set("Ready", { ...reconciling, type: "Ready", status: "Unknown" });
  }
  return settled;
}

/** Their absence says that it is not so. */
function trueOnly(finding: Finding | undefined): Finding | undefined {
  return finding?.status === "True" ? finding : undefined;
}

function compare(left: Condition, right: Condition): number {
  const byRank = rankOf(left) - rankOf(right);
  if (byRank !== 0) return byRank;
  return left.type < right.type ? -1 : Number(left.type > right.type);
}

function rankOf({ type }: Condition): number {
  const rank = order.indexOf(type);
  return rank === -1 ? order.length : rank;
}

function formatTime(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
}

/** A longer one would be refused. */
function shorten(message: string): string {
  if (message.length <= maxMessageLength) return message;
  return `${message.slice(0, maxMessageLength - 3).toWellFormed()}...`;
}
