import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { median, wallTimeMs } from "./process-pair.ts";
import { fairlead } from "./programs.ts";
import { formatMs, type BenchRow } from "./row.ts";

/** A chart with so many bytes of definitions takes at most a second. */
const definitionBytes = 5 * 1024 * 1024;
const barMs = 1000;
const runs = 7;

/** A cold override of charts that are little but definitions of custom resources. */
export async function benchLargeCharts(): Promise<BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "fairlead-bench-"));
  try {
    const rows: BenchRow[] = [];
    for (const place of ["crds", "templates"]) {
      const chart = path.join(folder, place);
      await writeChart(chart, place);
      const command = fairlead("override", chart, "-t", "harbor.example.com:5000", "-s", "*");
      wallTimeMs(command);
      const ms = median(Array.from({ length: runs }, () => wallTimeMs(command)));
      rows.push({
        what: "cold override",
        chart: `5 MB of definitions in ${place}/`,
        fairlead: formatMs(ms),
        measured: formatMs(ms),
        bar: `≤ ${formatMs(barMs)}`,
        isMet: ms <= barMs,
      });
    }
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeChart(folder: string, place: string): Promise<void> {
  const files: [string, string][] = [
    ["Chart.yaml", "apiVersion: v2\nname: large\nversion: 1.0.0\n"],
    ["values.yaml", "image: docker.io/library/nginx:1.29\n"],
    [
      "templates/pod.yaml",
      "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n    - name: web\n      image: {{ .Values.image }}\n",
    ],
  ];
  const definition = definitionOf(0);
  for (let index = 0; index * definition.length < definitionBytes; index++) {
    files.push([`${place}/definition-${index}.yaml`, definitionOf(index)]);
  }
  for (const [name, text] of files) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** A definition such as generators write them: deep, with a description for each of a thousand fields. */
function definitionOf(index: number): string {
  const fields = Array.from({ length: 1000 }, (_, field) =>
    [
      `                field${field}:`,
      "                  description: |-",
      `                    Field ${field} tells how the operator treats the members of the group, and which of`,
      "                    them it restarts first when their configuration has changed.",
      "                  type: string",
      "",
    ].join("\n"),
  );
  return [
    "apiVersion: apiextensions.k8s.io/v1",
    "kind: CustomResourceDefinition",
    `metadata:\n  name: things${index}.example.com`,
    "spec:",
    "  group: example.com",
    `  names: {kind: Thing${index}, plural: things${index}}`,
    "  scope: Namespaced",
    "  versions:",
    "    - name: v1",
    "      served: true",
    "      storage: true",
    "      schema:",
    "        openAPIV3Schema:",
    "          type: object",
    "          properties:",
    "            spec:",
    "              type: object",
    "              properties:",
    fields.join(""),
  ].join("\n");
}
