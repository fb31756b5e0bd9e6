import { describe, expect, test } from "vitest";
import type { Origin, Span } from "../../helm/provenance/span.ts";
import { parseReference } from "../../reference/reference.ts";
import { loadYamlMap } from "../../yaml/load.ts";
import { parseValuePath } from "../../yaml/value-path.ts";
import { siteOfRendering } from "./rendered-site.ts";

const value = (path: string): Origin => ({ kind: "value", path: parseValuePath(path) });
const literal: Origin = { kind: "template", file: "app/templates/web.yaml", offset: 0 };

/** Puts a text together: each piece with its origin, and where in a leaf it begins. */
function trace(
  ...pieces: readonly (readonly [text: string, origin: Origin, offset?: number, insteadOf?: string])[]
) {
  let text = "";
  const spans: Span[] = [];
  for (const [piece, origin, offset = 0, insteadOf] of pieces) {
    const source = { origins: [origin], exact: true };
    spans.push({
      start: text.length,
      end: text.length + piece.length,
      offset,
      source: insteadOf === undefined ? source : { ...source, insteadOf: [value(insteadOf)] },
    });
    text += piece;
  }
  return { text, spans, reference: parseReference(text) };
}

const values = loadYamlMap(`
image: {registry: quay.io, slashed: quay.io/, repository: org/app, full: "quay.io/org/app:1", tag: "1", empty: "", on: false}
global: {registry: ""}
flag: --image=quay.io/org/app:1
`).value;

describe("siteOfRendering", () => {
  test.each<[string, ReturnType<typeof trace>, string | undefined]>([
    [
      "one leaf and a tag",
      trace(["org/app", value("image.repository")], [":1", literal]),
      "image.repository=org/app",
    ],
    ["a whole reference", trace(["quay.io/org/app:1", value("image.full")]), "image.full=quay.io/org/app+:1"],
    [
      "registry and repository",
      trace(
        ["quay.io", value("image.registry")],
        ["/", literal],
        ["org/app", value("image.repository")],
        [":1", literal],
      ),
      "image.registry=quay.io / image.repository=org/app",
    ],
    [
      "a registry that ends in a slash",
      trace(["quay.io/", value("image.slashed")], ["org/app", value("image.repository")]),
      "image.slashed=quay.io+/ / image.repository=org/app",
    ],
    [
      "a literal path after the registry",
      trace(["quay.io", value("image.registry")], ["/org/app:1", literal]),
      "image.registry=quay.io ~/org/app",
    ],
    [
      "a literal in place of an empty value",
      trace(["quay.io", literal, 0, "image.empty"], ["/", literal], ["org/app", value("image.repository")]),
      "image.empty=quay.io / image.repository=org/app",
    ],
    [
      "a literal in place of an empty value, before another value's tag",
      trace(["quay.io/org/app", literal, 0, "image.empty"], [":", literal], ["1", value("image.tag")]),
      "image.empty=quay.io/org/app",
    ],
    [
      "of several empty values the image's own",
      {
        ...trace(["quay.io/org/app:1", literal]),
        spans: [
          {
            start: 0,
            end: 17,
            offset: 0,
            source: {
              origins: [literal],
              exact: true,
              insteadOf: [value("global.registry"), value("image.empty")],
            },
          },
        ],
      },
      "image.empty=quay.io/org/app+:1",
    ],
    [
      "an argument's part",
      trace(["quay.io/org/app:1", value("flag"), 8]),
      "flag=--image=|quay.io/org/app+:1",
    ],
    ["a literal before it", trace(["quay.io/", literal], ["org/app", value("image.repository")]), undefined],
    ["a literal alone", trace(["quay.io/org/app:1", literal]), undefined],
    ["a value that is no text", trace(["org/app", value("image")]), undefined],
  ])("%s", (_name, image, expected) => {
    const site = siteOfRendering(image, values);
    const told = site?.name.map(
      ({ path, prefix, text, suffix, joint }) =>
        `${joint === undefined ? "" : `${joint} `}${path.join(".")}=${prefix === "" ? "" : `${prefix}|`}${text}${suffix === "" ? "" : `+${suffix}`}`,
    );
    const tail = (site?.tail ?? "") === "" ? "" : ` ~${site?.tail ?? ""}`;
    expect(told === undefined ? undefined : told.join(" ") + tail).toBe(expected);
  });
});
