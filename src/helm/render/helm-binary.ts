import { FairleadError } from "../../core/error.ts";
import { run } from "../../core/process.ts";
import type { Redactor } from "../../core/redaction.ts";

/** What `helm template` takes, in the order in which it is given. */
export interface RenderRequest {
  readonly chartPath: string;
  /** Files for `-f`, in order. */
  readonly valueFiles: readonly string[];
  /** `--set`, `--set-string` and `--set-file` with their texts, in order. */
  readonly setFlags: readonly (readonly [flag: string, text: string])[];
  readonly kubeVersion?: string | undefined;
  readonly releaseName?: string | undefined;
  readonly namespace?: string | undefined;
  /** Takes the user's values out of what helm says, which may quote them; default: nothing is taken out. */
  readonly redact?: Redactor;
  readonly signal?: AbortSignal | undefined;
}

/** What helm printed, or why it refused the chart. */
export type Rendering =
  | { readonly ok: true; readonly manifests: string }
  | { readonly ok: false; readonly message: string };

/** Renders charts with the `helm` program. */
export interface HelmBinary {
  render(request: RenderRequest): Promise<Rendering>;
  /** Makes sure that the program starts, before much work hangs on it. */
  check(signal?: AbortSignal): Promise<void>;
}

export interface HelmBinaryOptions {
  /** Default: `helm`, looked up on PATH. */
  readonly program?: string;
  /** Default: 120,000 ms a rendering. */
  readonly timeoutMs?: number;
}

/**
 * Helm as a program. A chart that helm refuses is a result; that helm cannot be started is thrown.
 * @throws FairleadError `tool-missing`, `timeout`, `aborted`, `limit-exceeded`.
 */
export function createHelmBinary({
  program = "helm",
  timeoutMs = 120_000,
}: HelmBinaryOptions = {}): HelmBinary {
  return {
    async render(request) {
      const { exitCode, stdout, stderr } = await runHelm(program, argumentsOf(request), {
        timeoutMs,
        signal: request.signal,
      });
      if (exitCode === 0) return { ok: true, manifests: stdout };
      return { ok: false, message: helmMessage(stderr, request.redact ?? ((text) => text)) };
    },
    async check(signal) {
      await runHelm(program, ["version"], { timeoutMs, signal });
    },
  };
}

function argumentsOf(request: RenderRequest): string[] {
  return [
    "template",
    request.releaseName ?? "release-name",
    // A path must not be taken for a flag.
    request.chartPath.startsWith("-") ? `./${request.chartPath}` : request.chartPath,
    ...(request.namespace === undefined ? [] : ["--namespace", request.namespace]),
    ...(request.kubeVersion === undefined ? [] : ["--kube-version", request.kubeVersion]),
    ...request.valueFiles.flatMap((file) => ["--values", file]),
    ...request.setFlags.flatMap(([flag, text]) => [flag, text]),
  ];
}

async function runHelm(
  program: string,
  args: readonly string[],
  options: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
): ReturnType<typeof run> {
  try {
    return await run(program, args, options);
  } catch (error) {
    if (error instanceof FairleadError && error.code === "tool-missing") {
      throw new FairleadError("tool-missing", `${program} cannot be started`, {
        hint: "put Helm 3 or 4 on PATH, or name it with --helm or HELM_BIN",
        cause: error,
      });
    }
    throw error;
  }
}

/** Helm's own error without its warnings and advice, capped: a template may make it as long as it likes. */
function helmMessage(stderr: string, redact: Redactor): string {
  const lines = redact(stderr)
    .split("\n")
    .filter((line) => line !== "" && !/^(?:WARNING|walk\.go|coalesce\.go|level=|Use --debug)/u.test(line));
  const start = lines.findIndex((line) => line.startsWith("Error:"));
  const text = lines
    .slice(Math.max(0, start))
    .join("\n")
    .replace(/^Error: /u, "");
  return text.length > 2000 ? `${text.slice(0, 2000)}…` : text;
}
