import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Where } from "../../core/error.ts";
import type { ImagePolicySpec } from "../objects/image-policy.ts";
import { compileFilter, type CompiledFilter } from "./tag-filter.ts";

/** What else a marker can name: these keep their meaning (RFC-0005). */
const reservedNames: ReadonlySet<string> = new Set(["tag", "name", "digest"]);

export interface TagAttributes {
  readonly attributes: Readonly<Record<string, string>>;
  /** `attribute-reserved` and `attribute-unmatched`. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The attributes of a chosen tag (RFC-0005): each named group of the pattern that took part in the match of the
 * whole tag. A group with a reserved name is none and one that took no part is left out; both are warned of.
 */
export function attributesOf(tag: string, filter: CompiledFilter, where: Where = {}): TagAttributes {
  const attributes = Object.create(null) as Record<string, string>;
  const diagnostics: Diagnostic[] = [];
  const warn = (code: Diagnostic["code"], message: string, hint: string): void => {
    diagnostics.push({ code, severity: "warning", message, where, hint });
  };
  for (const [name, text] of filter.groupsOf(tag) ?? []) {
    if (reservedNames.has(name)) {
      warn(
        "attribute-reserved",
        `the group '${name}' of the pattern is no attribute: '${name}' keeps its own meaning`,
        "give the group another name",
      );
    } else if (text === undefined) {
      warn(
        "attribute-unmatched",
        `the group '${name}' of the pattern takes no part in the match of the tag ${tag}`,
        "fields with this attribute are left alone",
      );
    } else attributes[name] = text;
  }
  return { attributes, diagnostics };
}

/**
 * The attributes of a tag by a policy's own pattern, for a status that does not keep them; none without a filter.
 * @throws FairleadError `policy-invalid`, `limit-exceeded`
 */
export function recomputeAttributes(
  { filterTags }: Pick<ImagePolicySpec, "filterTags">,
  tag: string,
): Readonly<Record<string, string>> {
  return filterTags === undefined ? {} : attributesOf(tag, compileFilter(filterTags)).attributes;
}
