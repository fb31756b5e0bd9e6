export type ReportKind = "json" | "junit" | "sarif" | "html";

const kindsByEnding: ReadonlyMap<string, ReportKind> = new Map([
  ["json", "json"],
  ["xml", "junit"],
  ["sarif", "sarif"],
  ["html", "html"],
  ["htm", "html"],
]);

/** The kind of report a file's name asks for by its ending, in either case; undefined for any other ending. */
export function reportKind(fileName: string): ReportKind | undefined {
  const ending = /\.([a-z]+)$/iu.exec(fileName)?.[1] ?? "";
  return kindsByEnding.get(ending.toLowerCase());
}
