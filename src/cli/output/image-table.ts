import { formatWhere } from "../../core/error.ts";
import type { ListedImage } from "../../relocation/list-images.ts";
import type { ImageOrigin } from "../../relocation/rendering/image-origins.ts";
import { formatTable } from "./table.ts";
import type { Terminal } from "./terminal.ts";

/** The images of a chart, a line each: the reference, the values that make it, and what is to be known of it. */
export function formatImageTable(
  images: readonly ListedImage[],
  { rendered, terminal }: { readonly rendered: boolean; readonly terminal: Terminal },
): string {
  const rows = images.map((image) => [
    image.source,
    image.values.map((where) => where.valuePath ?? "").join(", "),
    notesOf(image, rendered).join("; "),
  ]);
  const columns = [
    { title: "image", shrinks: true },
    { title: "values", shrinks: true },
    { title: "note", shrinks: true },
  ];
  return formatTable(columns, rows, { width: terminal.width, styleTitle: terminal.colours.bold });
}

function notesOf({ enabled, places, values }: ListedImage, rendered: boolean): string[] {
  if (!enabled) return ["switched off"];
  if (places.length === 0) return rendered && values.length > 0 ? ["not rendered"] : [];
  const origins = places.flatMap((place) => place.origins.filter(({ part }) => part !== "separator"));
  return [...new Set(origins.flatMap((origin) => noteOf(origin)))];
}

/** What no value makes, and which value would in its place. */
function noteOf(origin: ImageOrigin): string[] {
  if (origin.kind === "value") return [];
  const unset = (origin.insteadOf ?? []).map(({ path }) => path).join(" or ");
  const unless = unset === "" ? "" : `, unless ${unset} is set`;
  return [`${origin.part} from ${describeSource(origin)}${unless}`];
}

function describeSource(origin: ImageOrigin): string {
  if (origin.kind === "metadata") return `.${origin.field ?? ""}`;
  if (origin.kind === "generated") return `the function ${origin.function ?? ""}`;
  if (origin.kind === "unknown") return "the template";
  const { file, line } = origin;
  const place = formatWhere({
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
  });
  return `${origin.kind === "template" ? "a literal in " : ""}${place}`;
}
