import { formatWhere } from "../../core/error.ts";
import type { ChartResult, ImageFinding, ImageStatus, RenderedPlace } from "../result.ts";
import { findMisses, type Miss } from "./finding.ts";
import { type Markup, markup } from "./html-template.ts";

const statusNames: Readonly<Record<ImageStatus, string>> = {
  "not-moved": "Not moved",
  planned: "Planned",
  moved: "Moved",
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
  const sorted = result.images.toSorted(
    (a, b) =>
      statusOrder.indexOf(a.status) - statusOrder.indexOf(b.status) || a.source.localeCompare(b.source, "en"),
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
      ${sorted.map((image) => formatImage(image, misses.get(image)))}
    </tbody>
  </table>`;
}

function formatImage(image: ImageFinding, miss: Miss | undefined): Markup {
  const target =
    image.target === undefined
      ? undefined
      : markup`<div class="target">
          <span aria-hidden="true">→</span><span class="unseen">to </span><code>${image.target}</code>
        </div>`;
  const reason = miss?.reason ?? image.reason;
  const notes = [
    reason === undefined ? undefined : markup`<p class="reason">${reason}</p>`,
    miss?.hint === undefined ? undefined : markup`<p class="hint">${miss.hint}</p>`,
    image.enabled ? undefined : markup`<p class="hint">Its subchart is switched off.</p>`,
  ];
  return markup`<tr class="${image.status}">
    <td><span class="badge ${image.status}">${statusNames[image.status]}</span></td>
    <th scope="row"><code>${image.source}</code>${target}${notes}</th>
    <td>${formatPlaces([...image.values.map(formatWhere), ...image.places.map(formatPlace)])}</td>
  </tr>`;
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
  return `${place.kind} ${place.name}, ${container}${template}`;
}
