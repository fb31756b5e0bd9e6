import { mergeMaps } from "../helm/values/merge.ts";
import { formatReference, type ImageReference } from "../reference/reference.ts";
import type { YamlMap } from "../yaml/value.ts";
import { splitNameText } from "./discover/name-text.ts";
import type { Plan } from "./plan.ts";
import { differencesOf } from "./verify/difference.ts";
import type { Replacement } from "./verify/explain-change.ts";

/**
 * The texts that an override from elsewhere changes from a part of an image's name to a part of its name at
 * the target. What else it sets is no move of an image.
 */
export function replacementsOf(values: YamlMap, override: YamlMap, plan: Plan): Replacement[] {
  const moves = plan.images.flatMap(({ site, relocation }) =>
    relocation === undefined
      ? []
      : [
          {
            sources: [site.text, formatReference(site.reference), ...site.name.map(({ text }) => text)],
            target: relocation.reference,
          },
        ],
  );
  return differencesOf(values, mergeMaps(values, override)).flatMap(({ before: from, after: to }) => {
    if (typeof from !== "string" || typeof to !== "string") return [];
    const isMove = moves.some(
      ({ sources, target }) => sources.some((source) => isPartOf(from, source)) && isPartOfName(to, target),
    );
    return isMove ? [{ from, to }] : [];
  });
}

function isPartOfName(text: string, { registry, path }: ImageReference): boolean {
  return isPartOf(text, `${registry}/${path}`);
}

/** Whether the name in a text is some of the parts between the slashes of another name. */
function isPartOf(text: string, whole: string): boolean {
  const part = splitNameText(text).name.replace(/\/+$/u, "");
  return part !== "" && `/${splitNameText(whole).name}/`.includes(`/${part}/`);
}
