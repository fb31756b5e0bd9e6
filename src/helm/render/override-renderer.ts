import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { HelmBinary, Rendering, RenderRequest } from "./helm-binary.ts";

/** Renders one chart, as it is or with an override on top of the user's values files. */
export interface OverrideRenderer {
  /** @param override YAML; undefined for the chart as it is. */
  render(override: string | undefined): Promise<Rendering>;
}

/** What is rendered; a chart that is in no file has its archive. */
export interface OverrideRequest extends RenderRequest {
  readonly archive?: Uint8Array | undefined;
}

/**
 * Renders with `helm`. The override comes after the values files and before `--set`, where document 002's
 * pipeline (§10) has it; it is passed as a file in a folder of its own that is gone afterwards,
 * and so is a chart that is in no file.
 */
export function createOverrideRenderer(
  helm: HelmBinary,
  { archive, ...request }: OverrideRequest,
): OverrideRenderer {
  return {
    async render(override) {
      if (override === undefined && archive === undefined) return helm.render(request);
      const folder = await mkdtemp(path.join(tmpdir(), "fairlead-"));
      try {
        const write = async (name: string, content: string | Uint8Array): Promise<string> => {
          const file = path.join(folder, name);
          await writeFile(file, content, { mode: 0o600 });
          return file;
        };
        const files = override === undefined ? [] : [await write("override.yaml", override)];
        return await helm.render({
          ...request,
          ...(archive === undefined ? {} : { chartPath: await write("chart.tgz", archive) }),
          valueFiles: [...request.valueFiles, ...files],
        });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}
