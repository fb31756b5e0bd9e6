import { expect, test } from "vitest";
import { findSimilar } from "./similar-text.ts";

const names = ["Deployment/web", "Deployment/web-api", "Service/web", "ConfigMap/settings"];

test.each([
  ["Deployment/wbe", "Deployment/web"],
  ["deployment/web", "Deployment/web"],
  ["Deploymnt/web-ap", "Deployment/web-api"],
  ["Sevice/web", "Service/web"],
  ["ConfigMap/setting", "ConfigMap/settings"],
  ["Ingress/other", undefined],
  ["", undefined],
])("%s means %s", (text, expected) => {
  expect(findSimilar(text, names)).toBe(expected);
});

test("a short name may have one mistake", () => {
  expect(findSimilar("b", ["a"])).toBe("a");
  expect(findSimilar("bc", ["ad"])).toBeUndefined();
});
