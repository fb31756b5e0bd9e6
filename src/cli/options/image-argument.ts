import { FairleadError } from "../../core/error.ts";
import { excerpt } from "../../core/escape.ts";
import { checkImageSpec } from "../../imagespec/convert/check-image-spec.ts";
import { formatFieldProblem } from "../../imagespec/convert/field-problem.ts";
import { storedSpecKey, viewImageSpec } from "../../imagespec/convert/stored-spec.ts";
import { containerLists, workloadOfKind } from "../../imagespec/convert/workloads.ts";
import { type ImageSpec, toImageSpec } from "../../reference/image-spec.ts";
import { parseReference, withDefaultTag } from "../../reference/reference.ts";
import { loadYaml } from "../../yaml/load.ts";
import { isYamlList, isYamlMap, type YamlMap, type YamlValue } from "../../yaml/value.ts";
import type { CliIo } from "../io.ts";
import { readInput } from "../output/read-input.ts";

/** What `<IMAGE>` is, for the help. */
export const imageArgument: string =
  "image such as nginx:1.27, ACI such as aci:example.com/app:1.0, or a file (JSON or YAML; - for standard input) with " +
  "an ImageSpec, a container or a workload";

/**
 * The images that an argument names.
 * @throws FairleadError `reference-invalid`, `image-spec-invalid`, `input-invalid`, and those of reading a file
 */
export async function readImageArgument(text: string, io: CliIo): Promise<readonly ImageSpec[]> {
  if (text.startsWith("aci:")) return [parseAci(text.slice("aci:".length))];
  if (!isFile(text)) return [toImageSpec(withDefaultTag(parseReference(text)))];
  const content = text === "-" ? new TextDecoder().decode(await io.stdin()) : await readInput(text);
  const found = specsIn(loadYaml(content, { file: text }).value);
  if (found.length > 0) return found;
  throw new FairleadError("input-invalid", "the file holds no image", {
    where: { file: text },
    hint: "It may be an ImageSpec, a container, or an object with a pod or a pod template.",
  });
}

/** No reference begins or ends like this, except for tags that nobody gives. */
function isFile(text: string): boolean {
  return text === "-" || /^\.{0,2}\/|\.(?:ya?ml|json)$/u.test(text);
}

function parseAci(text: string): ImageSpec {
  const {
    name = text,
    tag,
    id,
  } = /^(?<name>[^:@]*)(?::(?<tag>[^@]*))?(?:@(?<id>.*))?$/su.exec(text)?.groups ?? {};
  return checked({ aci: { name, tag: tag ?? null, id: id ?? null } }, "the ACI");
}

function specsIn(value: YamlValue): readonly ImageSpec[] {
  if (!isYamlMap(value)) return [];
  const { kind, apiVersion } = value;
  if (typeof kind === "string" && typeof apiVersion === "string") {
    const path = workloadOfKind(apiVersion, kind)?.templatePath;
    const pod = path?.reduce<YamlValue | undefined>((parent, key) => memberOf(parent, key), value);
    return isYamlMap(pod) ? specsOfPod(pod) : [];
  }
  if (isYamlMap(value["spec"])) return specsOfPod(value);
  if (value["dockerImage"] !== undefined || value["aci"] !== undefined) return [checked(value, "imageSpec")];
  return specsOfContainer(value, undefined, "container");
}

function specsOfPod(pod: YamlMap): readonly ImageSpec[] {
  const annotations = memberOf(pod["metadata"], "annotations");
  const specs = containerLists.flatMap((list) => {
    const containers = memberOf(pod["spec"], list);
    return (isYamlList(containers) ? containers : []).flatMap((container, index) =>
      isYamlMap(container) ? specsOfContainer(container, annotations, `spec.${list}[${index}]`) : [],
    );
  });
  return [...new Map(specs.map((spec) => [JSON.stringify(spec), spec])).values()];
}

function specsOfContainer(
  { name, image, imageSpec }: YamlMap,
  annotations: YamlValue | undefined,
  field: string,
): readonly ImageSpec[] {
  if (imageSpec !== undefined && imageSpec !== null) return [checked(imageSpec, `${field}.imageSpec`)];
  if (typeof image !== "string") return [];
  const stored = typeof name === "string" ? memberOf(annotations, storedSpecKey(name)) : undefined;
  const spec = viewImageSpec(image, typeof stored === "string" ? stored : undefined);
  if (spec !== undefined) return [spec];
  throw new FairleadError("reference-invalid", `'${excerpt(image)}' is no image`, {
    where: { valuePath: `${field}.image` },
  });
}

function memberOf(value: YamlValue | undefined, key: string): YamlValue | undefined {
  return isYamlMap(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function checked(value: unknown, field: string): ImageSpec {
  const { spec, problems } = checkImageSpec(value, field);
  if (spec !== undefined) return spec;
  throw new FairleadError("image-spec-invalid", problems.map(formatFieldProblem).join("; "));
}
