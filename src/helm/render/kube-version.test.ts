import { expect, test } from "vitest";
import { parseKubeVersion } from "./kube-version.ts";

test.each<[string, string, string, string]>([
  ["1.37.0", "v1.37.0", "v1.37.0", "v1.37.0"],
  ["v1.37", "v1.37", "v1.37", "v1.37"],
  ["1.33.4-gke.1245000", "v1.33.4", "v1.33.4-gke.1245000", "v1.33.4"],
  ["1.08.2+k3s1", "v1.8.2", "v1.08.2+k3s1", "v1.8.2"],
])("%s", (text, helm3, helm4, normalized) => {
  expect(parseKubeVersion(text, "helm3")).toMatchObject({ version: helm3, normalized });
  expect(parseKubeVersion(text, "helm4")).toMatchObject({ version: helm4, normalized, major: "1" });
});

test.each([
  ["1", `invalid kube version '1': illegal version string "1"`],
  ["x", `invalid kube version 'x': could not parse "x" as version`],
  ["01.2", `invalid kube version '01.2': illegal zero-prefixed version component "01" in "01.2"`],
])("%s is none", (text, message) => {
  expect(() => parseKubeVersion(text, "helm3")).toThrow(message);
});
