import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { OpenedFolder } from "../../../../test/support/opened-folder.ts";
import { type Destination, startDestination } from "../../../../test/support/served-notifications.ts";
import { createLogger } from "../../../core/log.ts";
import type { ControllerName } from "./controller-options.ts";
import { openEventSink } from "./event-sink.ts";

const folder = new OpenedFolder();
const log = createLogger({ level: "error", format: "text", write: () => undefined });
let destination: Destination;

beforeAll(async () => {
  destination = await startDestination();
});
beforeEach(async () => folder.open());
afterAll(async () => destination.stop());

test.each<{ controller: ControllerName; posted: number }>([
  { controller: "image-reflector", posted: 1 },
  { controller: "notification", posted: 0 },
])("of what $controller tells, so many events are posted: $posted", async ({ controller, posted }) => {
  const { url } = destination;
  const sink = await openEventSink(
    { controller, api: folder.api, url, storagePath: undefined, log },
    { env: {} },
  );
  const before = destination.arrivals.length;
  const object = { apiVersion: "a/v1", kind: "Receiver", namespace: "apps", name: "it", annotations: {} };
  sink.occurrences.record(object, { type: "Normal", reason: "Succeeded", message: "path: /hook/secret" });
  await sink.flush(5_000);
  await sink.close();
  expect(destination.arrivals.length - before).toBe(posted);
});
