import { expect, test } from "vitest";
import { tools, toolNames } from "./catalog.ts";
import { pinnedVersion, readPins, withSources } from "./sources.ts";

test.each(toolNames)("pins %s and its version", async (name) => {
  const tool = tools[name];
  const pins = await readPins(tool.module ?? name);
  expect(pins.sums).toMatch(/ h1:/u);
  const versions = tool.variables?.((module) => pinnedVersion(pins, module)) ?? {};
  expect(Object.values(versions).every((version) => /^v?\d|^$/u.test(version))).toBe(true);
  if (tool.embeds === undefined) expect(pins.module).toContain(tool.package);
  else expect(pinnedVersion(pins, tool.embeds.module)).toMatch(/^v\d/u);
});

test("tells of a module that go.mod does not require", async () => {
  const pins = await readPins("helm3");
  expect(() => pinnedVersion(pins, "example.com/none")).toThrow(/does not require/u);
});

test("builds with the go.mod of the pins", async () => {
  const pins = await readPins("helm3");
  expect(await withSources(tools.helm3, pins, (folder) => Promise.resolve(folder))).toBe(pins.folder);
});
