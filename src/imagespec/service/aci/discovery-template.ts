import type { Label } from "./ac-types.ts";
import type { DiscoveryTag } from "./discovery-page.ts";

/** What is looked for: an image's name, with the labels that it must have. */
export interface DiscoveryQuery {
  readonly name: string;
  readonly labels: readonly Label[];
}

/** Where a template says that an image and its signature are. */
export interface ImageLocation {
  readonly image: URL;
  readonly signature: URL;
}

/**
 * The places that the tags of a page give for an image: of those that name it and whose every part is known, the ones
 * that tell most of the labels, in the order of the page (appc specification, "Discovery Templates").
 */
export function renderTemplates(
  tags: readonly DiscoveryTag[],
  { name, labels }: DiscoveryQuery,
): readonly ImageLocation[] {
  const values = new Map(labels.map((label) => [label.name, encodeURIComponent(label.value)]));
  const rendered = tags
    .filter(({ prefix }) => name.startsWith(prefix))
    .flatMap(({ template }) => {
      const image = render(template, name, values, "aci");
      const signature = render(template, name, values, "aci.asc");
      const isTold = (label: string): boolean => template.includes(`{${label}}`);
      // A template that has both at one place tells nothing of signatures.
      if (image === undefined || signature === undefined || image.href === signature.href) return [];
      return [{ image, signature, told: [...values.keys()].filter(isTold).length }];
    });
  const most = Math.max(...rendered.map(({ told }) => told));
  return rendered.filter(({ told }) => told === most).map(({ image, signature }) => ({ image, signature }));
}

function render(
  template: string,
  name: string,
  labels: ReadonlyMap<string, string>,
  extension: string,
): URL | undefined {
  const text = template.replace(/\{(?<key>[^{}]*)\}/gu, (whole, key: string) => {
    if (key === "name") return name;
    if (key === "ext") return extension;
    return labels.get(key) ?? whole;
  });
  if (/[{}]/u.test(text)) return undefined;
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
  return url.username === "" && url.password === "" ? url : undefined;
}
