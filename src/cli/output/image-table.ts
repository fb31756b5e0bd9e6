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
  return [...new Set(places.flatMap(({ origins }) => notesOfPlace(origins)))];
}

/** What no value makes, and which value would in its place: `tag: .Chart.AppVersion, unless image.tag is set`. */
function notesOfPlace(origins: readonly ImageOrigin[]): string[] {
  const foreign = origins.filter(({ kind, part }) => kind !== "value" && part !== "separator");
  const notes = [...Map.groupBy(foreign, ({ part }) => part)].map(([part, group]) => {
    const sources = [...new Set(group.map((origin) => describeSource(origin)))].join(" and ");
    const empty = new Set(group.flatMap(({ insteadOf = [] }) => insteadOf.map(({ path }) => path)));
    return {
      part,
      what: empty.size === 0 ? sources : `${sources}, unless ${[...empty].join(" or ")} is set`,
    };
  });
  return [...Map.groupBy(notes, ({ what }) => what)].map(
    ([what, group]) => `${group.map(({ part }) => part).join(", ")}: ${what}`,
  );
}

function describeSource({ kind, field, function: maker, file, line }: ImageOrigin): string {
  if (kind === "metadata") return `.${field ?? ""}`;
  if (kind === "generated") return `the function ${maker ?? ""}`;
  if (file === undefined) return "not known";
  const place = formatWhere(line === undefined ? { file } : { file, line });
  return kind === "template" ? `literal in ${place}` : place;
}
