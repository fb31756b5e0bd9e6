import path from "node:path";
import { run } from "../../../src/core/process.ts";
import { repositoryRoot } from "../checkout.ts";

/** The programs of test/conformance/kubernetes. */
type GoProgram = "kubelet" | "informer";

const buildTimeoutMs = 10 * 60_000;

/**
 * Builds a Go program of `test/conformance/kubernetes` into a folder, and gives its path.
 * @throws Error with what Go printed
 */
export async function buildGoProgram(go: string, name: GoProgram, folder: string): Promise<string> {
  const program = path.join(folder, name);
  const flags = ["-trimpath", "-buildvcs=false", "-mod=readonly", "-ldflags", "-s -w"];
  const built = await run(go, ["build", ...flags, "-o", program, `./${name}`], {
    cwd: path.join(repositoryRoot, "test/conformance/kubernetes"),
    env: { ...process.env, CGO_ENABLED: "0", GOWORK: "off" },
    timeoutMs: buildTimeoutMs,
  });
  if (built.exitCode !== 0) throw new Error(`go build of ${name} failed: ${built.stderr}`);
  return program;
}
