import type { ApiResponse } from "../api-exchange.ts";
import { type FieldProblem, formatFieldProblem } from "../../convert/field-problem.ts";
import type { Workload } from "../../convert/workloads.ts";

/** More are not told. */
const maxProblems = 100;

/** The answer to an object that breaks rules, as the API server gives it (`NewInvalid` of k8s.io/apimachinery). */
export function invalidStatus(
  { kind, group }: Workload,
  name: string | undefined,
  problems: readonly FieldProblem[],
): ApiResponse {
  const told = problems.slice(0, maxProblems);
  const texts = told.map(formatFieldProblem);
  const list = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  const qualified = group === "" ? kind : `${kind}.${group}`;
  const status = {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: `${qualified} ${JSON.stringify(name ?? "")} is invalid: ${list ?? ""}`,
    reason: "Invalid",
    details: {
      ...(name === undefined ? {} : { name }),
      ...(group === "" ? {} : { group }),
      kind,
      causes: told.map(({ reason, message, field }) => ({ reason, message, field })),
    },
    code: 422,
  };
  return {
    status: 422,
    headers: { "content-type": "application/json", "cache-control": "no-cache, private" },
    body: Buffer.from(`${JSON.stringify(status)}\n`),
  };
}
