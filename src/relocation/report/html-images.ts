import type { ChartResult, ImageFinding, ImageStatus, RenderedPlace } from "../result.ts";
import { findMisses, formatWhereInside, type Miss } from "./finding.ts";
import { type Markup, markup } from "./html-template.ts";
import { isNotRendered } from "./totals.ts";

/** What a row says of its image: its status, or that a rendered chart shows nothing of it. */
type RowStatus = ImageStatus | "not-rendered";

const statusNames: Readonly<Record<RowStatus, string>> = {
  "not-moved": "Not moved",
  planned: "Planned",
  moved: "Moved",
  "not-rendered": "Switched off",
  "at-target": "At target",
  excluded: "Excluded",
  "out-of-scope": "Out of scope",
};

const statusOrder = Object.keys(statusNames);
const maxPlaces = 4;

/** The images of a chart as a table, those that did not move first. */
export function formatImages(result: ChartResult): Markup | undefined {
  if (result.images.length === 0) return undefined;
  const misses = new Map(findMisses(result).map((miss) => [miss.image, miss]));
  const isRendered = result.verdict.chartInstall !== "not-run";
  const rows = result.images
    .map((image) => ({
      image,
      miss: misses.get(image),
      status: isRendered && isNotRendered(image) ? ("not-rendered" as const) : image.status,
    }))
    .toSorted(
      (a, b) =>
        statusOrder.indexOf(a.status) - statusOrder.indexOf(b.status) ||
        a.image.source.localeCompare(b.image.source, "en"),
    );
  return markup`<table>
    <caption class="unseen">Images of ${result.chart.name}</caption>
    <thead>
      <tr>
        <th scope="col">Status</th>
        <th scope="col">Image</th>
        <th scope="col">Where</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => formatRow(row, result.chart))}
    </tbody>
  </table>`;
}

interface Row {
  readonly image: ImageFinding;
  readonly miss: Miss | undefined;
  readonly status: RowStatus;
}

function formatRow({ image, miss, status }: Row, chart: ChartResult["chart"]): Markup {
  const reason = miss?.reason ?? image.reason;
  const would = status === "not-rendered" ? "It would not move: " : "";
  const notes = [
    reason === undefined ? undefined : markup`<p class="reason">${would}${reason}</p>`,
    miss?.hint === undefined ? undefined : markup`<p class="hint">${miss.hint}</p>`,
  ];
  return markup`<tr class="${status}">
    <td><span class="badge ${status}">${statusNames[status]}</span>${formatExplored(image)}</td>
    <th scope="row"><code>${image.source}</code>${formatTarget(image)}${notes}</th>
    <td>${formatPlaces(placesOf(image, miss, chart))}</td>
  </tr>`;
}

function formatExplored({ explored }: ImageFinding): Markup | undefined {
  return explored === true ? markup`<p class="hint">with more switched on</p>` : undefined;
}

function formatTarget({ target, status }: ImageFinding): Markup | undefined {
  if (target === undefined) return undefined;
  const [arrow, words] = status === "not-moved" ? ["↛", "not at"] : ["→", "to"];
  const link = markup`<span aria-hidden="true">${arrow}</span><span class="unseen">${words} </span>`;
  return markup`<div class="target">${link}<code>${target}</code></div>`;
}

/** The place to look at first, then the values and the objects. */
function placesOf(
  image: ImageFinding,
  miss: Miss | undefined,
  chart: ChartResult["chart"],
): readonly string[] {
  const files = [...(miss?.places ?? []), ...image.values].map((where) => formatWhereInside(where, chart));
  return [...new Set(files), ...image.places.map(formatPlace)];
}

function formatPlaces(places: readonly string[]): Markup {
  const shown = places.length > maxPlaces ? places.slice(0, maxPlaces - 1) : places;
  const more = places.length - shown.length;
  const items = shown.map((place) => markup`<li>${place}</li>`);
  const rest = more === 0 ? undefined : markup`<li>and ${more} more</li>`;
  return markup`<ul class="places">${items}${rest}</ul>`;
}

function formatPlace(place: RenderedPlace): string {
  const container = place.container === undefined ? place.field : `container ${place.container}`;
  const template = place.template === undefined ? "" : `, ${place.template}`;
  return `${place.kind}/${place.name}, ${container}${template}`;
}
