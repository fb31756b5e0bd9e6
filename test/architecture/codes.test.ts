import { readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { expect, test } from "vitest";
import { repositoryRoot } from "./source-file.ts";

const page = readFileSync(`${repositoryRoot}/docs/troubleshooting.md`, "utf8");

test.each([
  ["DiagnosticCode", "src/core/diagnostic.ts"],
  ["ErrorCode", "src/core/error.ts"],
])("every %s has its row in the troubleshooting page", (type, path) => {
  const codes = literalsOf(type, readFileSync(`${repositoryRoot}/${path}`, "utf8"));
  expect(codes.length).toBeGreaterThan(10);
  const rows = new Set(
    page.split("\n").map((line) => /^\| `(?<code>[a-z-]+)`/u.exec(line)?.groups?.["code"]),
  );
  expect(codes.filter((code) => !rows.has(code))).toEqual([]);
});

function literalsOf(type: string, text: string): readonly string[] {
  for (const statement of parseSync("codes.ts", text).program.body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : null;
    if (declaration?.type !== "TSTypeAliasDeclaration" || declaration.id.name !== type) continue;
    if (declaration.typeAnnotation.type !== "TSUnionType") continue;
    return declaration.typeAnnotation.types.flatMap((member) =>
      member.type === "TSLiteralType" &&
      member.literal.type === "Literal" &&
      typeof member.literal.value === "string"
        ? [member.literal.value]
        : [],
    );
  }
  return [];
}
