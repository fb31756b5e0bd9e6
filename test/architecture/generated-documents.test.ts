import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generatedDocuments } from "../../scripts/docs.ts";
import { repositoryRoot } from "./source-file.ts";

test.each([...(await generatedDocuments())])("%s is what npm run docs writes", (path, text) => {
  expect(readFileSync(`${repositoryRoot}/${path}`, "utf8")).toBe(text);
});
