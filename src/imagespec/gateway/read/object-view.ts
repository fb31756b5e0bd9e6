import type { Workload } from "../../convert/workloads.ts";
import { type JsonLayout, JsonView } from "./json-view.ts";

/**
 * Puts `imageSpec` beside `image` into a whole JSON text. Everything else stays byte for byte, and all of a text that
 * is malformed.
 */
export function viewObject(bytes: Buffer, workload: Workload, layout: JsonLayout = "objects"): Buffer {
  const view = new JsonView(workload, layout, Infinity);
  const told = view.push(bytes);
  const rest = view.end();
  return rest.length === 0 ? told : Buffer.concat([told, rest]);
}
