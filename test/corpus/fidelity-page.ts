import type { FidelityException, FidelityFigures } from "./fidelity.ts";

/** The embedded engine beside both helms, and why what differs does. */
export interface FidelityInput {
  readonly helm3: FidelityFigures;
  readonly helm4: FidelityFigures;
  /** By the id of the rendering; written by hand. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** The section of docs/compatibility.md on how the embedded engine does beside helm. */
export function fidelitySection({ helm3, helm4, reasons }: FidelityInput): string {
  const exceptions = [
    ...new Map([...helm3.exceptions, ...helm4.exceptions].map((found) => [found.id, found])),
  ];
  return `## The embedded engine beside helm

Every chart of the corpus, also those that helm refuses, with its defaults and with each \`ci/*-values.yaml\` that it ships:
what \`helm template\` prints for Kubernetes 1.35.0, compared byte for byte. Words that helm itself makes up anew each
time, such as passwords and certificates, count as equal where they stand in the same place and look alike.

| | Helm 3.22 | Helm 4.3 |
| --- | ---: | ---: |
${row("Renderings", helm3.renders, helm4.renders)}
${row("Equal, byte for byte", share(helm3.equal, helm3.renders), share(helm4.equal, helm4.renders))}
${row("Refused by helm", helm3.refusals, helm4.refusals)}
${row("Refused with the same message", share(helm3.sameMessage, helm3.refusals), share(helm4.sameMessage, helm4.refusals))}

${exceptions.length === 0 ? "There are no exceptions." : exceptionTable(exceptions, reasons)}`;
}

function exceptionTable(
  exceptions: readonly (readonly [id: string, exception: FidelityException])[],
  reasons: FidelityInput["reasons"],
): string {
  return `| What differs | Why |
| --- | --- |
${exceptions.map(([id]) => `| ${id} | ${reasons[id] ?? ""} |`).join("\n")}`;
}

function row(title: string, helm3: number | string, helm4: number | string): string {
  return `| ${title} | ${helm3} | ${helm4} |`;
}

function share(part: number, whole: number): string {
  return `${part} (${(Math.floor((part / whole) * 1000) / 10).toFixed(1)} %)`;
}
