import { expect, test } from "vitest";
import { chartYaml } from "../../test/support/chart-files.ts";
import { chartOf } from "../../test/support/relocation.ts";
import { resolveDependencies } from "../helm/chart/dependencies.ts";
import { createYamlMap } from "../yaml/value.ts";
import { findSideSettings } from "./side-settings.ts";

const guard = "{{ if not .Values.global.security.allowInsecureImages }}{{ fail }}{{ end }}";

test.each<[string, Readonly<Record<string, string>>, number]>([
  ["a chart that refuses moved images", { "templates/a.tpl": guard }, 1],
  [
    "a library in its charts/ that refuses them",
    { "charts/common/Chart.yaml": chartYaml("common"), "charts/common/templates/a.tpl": guard },
    1,
  ],
  [
    "it is false",
    { "templates/a.tpl": guard, "values.yaml": "global: {security: {allowInsecureImages: false}}" },
    1,
  ],
  [
    "it is true already",
    { "templates/a.tpl": guard, "values.yaml": "global: {security: {allowInsecureImages: true}}" },
    0,
  ],
  ["a chart that does not ask for it", { "templates/a.yaml": "kind: Pod" }, 0],
  ["a chart whose readme speaks of it", { "README.md": guard }, 0],
])("%s", async (_name, files, count) => {
  const { root, values } = resolveDependencies(await chartOf(files), createYamlMap());
  const { entries, diagnostics } = findSideSettings(root, values);
  const path = ["global", "security", "allowInsecureImages"];
  expect(entries).toEqual(count === 0 ? [] : [{ path, to: true }]);
  expect(diagnostics.map(({ code }) => code)).toEqual(count === 0 ? [] : ["side-setting-added"]);
});
