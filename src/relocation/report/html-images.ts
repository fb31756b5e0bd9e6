import { formatWhere } from "../../core/error.ts";
import type { ChartResult, ImageFinding, ImageStatus, RenderedPlace } from "../result.ts";
import { findMisses, type Miss } from "./finding.ts";
import { type Html, html } from "./html-template.ts";

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
export function formatImages(result: ChartResult): Html | undefined {
  if (result.images.length === 0) return undefined;
  const misses = new Map(findMisses(result).map((miss) => [miss.image, miss]));
  const sorted = result.images.toSorted(
    (a, b) =>
      statusOrder.indexOf(a.status) - statusOrder.indexOf(b.status) || a.source.localeCompare(b.source, "en"),
  );
  return html`<table>
    <caption class="unseen">
      ${caption}
    </caption>
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

function formatImage(image: ImageFinding, miss: Miss | undefined): Html {
  const target =
    image.target === undefined
      ? undefined
      : html`<div class="target">
          <span class="arrow" aria-hidden="true">→</span><span class="unseen">to </span
          ><code>${image.target}</code>
        </div>`;
  const reason = miss?.reason ?? image.reason;
  return html`<tr class="${image.status}">
    <td><span class="badge ${image.status}">${statusNames[image.status]}</span></td>
    <th scope="row">
      <code>${image.source}</code>${target}${
        reason === undefined ? undefined : html`<p class="reason">${reason}</p>`
      }${image.enabled ? undefined : html`<p class="muted">belongs to a subchart that is switched off</p>`}
    </th>
    <td>${formatPlaces([...image.values.map(formatWhere), ...image.places.map(formatPlace)])}</td>
  </tr> `;
}

function formatPlaces(places: readonly string[]): Html {
  const shown = places.length > maxPlaces ? places.slice(0, maxPlaces - 1) : places;
  const more = places.length - shown.length;
  return html`<ul class="places">
    ${shown.map((place) => html`<li>${place}</li>`)}${
      more === 0 ? undefined : html`<li>and ${more} more</li>`
    }
  </ul>`;
}

function formatPlace(place: RenderedPlace): string {
  const container = place.container === undefined ? place.field : `container ${place.container}`;
  const template = place.template === undefined ? "" : `, ${place.template}`;
  return `${place.kind} ${place.name}, ${container}${template}`;
}
