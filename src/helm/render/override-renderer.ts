import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { HelmBinary, Rendering, RenderRequest } from "./helm-binary.ts";

/** Renders one chart, as it is or with an override on top of the user's values files. */
export interface OverrideRenderer {
  /** @param override YAML; undefined for the chart as it is. */
  render(override: string | undefined): Promise<Rendering>;
}

/**
 * Renders with `helm`. The override comes after the values files and before `--set`, where document 002's
 * pipeline (§10) has it; it is passed as a file in a folder of its own that is gone afterwards.
 */
export function createOverrideRenderer(helm: HelmBinary, request: RenderRequest): OverrideRenderer {
  return {
    async render(override) {
      if (override === undefined) return helm.render(request);
      const folder = await mkdtemp(path.join(tmpdir(), "fairlead-"));
      try {
        const file = path.join(folder, "override.yaml");
        await writeFile(file, override, { mode: 0o600 });
        return await helm.render({ ...request, valueFiles: [...request.valueFiles, file] });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
