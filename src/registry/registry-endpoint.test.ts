import { expect, test } from "vitest";
import { parseReference } from "../reference/reference.ts";
import { registryUrl } from "./registry-endpoint.ts";

test.each([
  ["nginx", "https://registry-1.docker.io/"],
  ["docker.io/org/app", "https://registry-1.docker.io/"],
  ["index.docker.io/org/app", "https://registry-1.docker.io/"],
  ["registry-1.docker.io/org/app", "https://registry-1.docker.io/"],
  ["ghcr.io/org/app", "https://ghcr.io/"],
  ["localhost:5000/app", "https://localhost:5000/"],
  ["registry.example.com:443/app", "https://registry.example.com/"],
  ["[2001:db8::1]:5000/app", "https://[2001:db8::1]:5000/"],
])("%s is at %s", (image, url) => {
  expect(registryUrl(parseReference(image).registry).href).toBe(url);
});

test.each(["", "user@example.com", "example.com/path", "example.com?x", "exa mple.com", "example.com:99999"])(
  "'%s' is no registry",
  (registry) => {
    expect(() => registryUrl(registry)).toThrow("the reference names no registry that can be asked");
  },
);
