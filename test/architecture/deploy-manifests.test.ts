import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generatedManifests } from "../../scripts/deploy.ts";
import { repositoryRoot } from "./source-file.ts";

test.each([...generatedManifests()])("%s is what scripts/deploy.ts writes", (path, text) => {
  expect(readFileSync(`${repositoryRoot}/${path}`, "utf8")).toBe(text);
});
