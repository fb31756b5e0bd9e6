import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { FairleadError } from "../../../core/error.ts";
import type { ImageService, StoredImage } from "../image-service.ts";
import { createImagePuller, type PullEvent } from "./image-puller.ts";
import type { PullPolicy } from "./pull-policy.ts";

// The cases come from the Go program in test/conformance/puller, which runs kubelet's own image manager.

interface Step {
  readonly advanceMs: number;
  readonly pod: string;
  readonly image: string;
  readonly policy?: PullPolicy;
  readonly present?: string;
  readonly inspectError?: string;
  readonly pullError?: string;
  readonly id?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly events: readonly string[];
}

const file = path.join(import.meta.dirname, "../../../../test/conformance/puller/cases.jsonl");
const sequences = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as readonly Step[]);

/** Names of errors that runtimes put before their message, and the codes that stand for them here. */
const namedErrors = [
  ["RegistryUnavailable: ", "registry-unreachable"],
  ["SignatureValidationFailed: ", "signature-invalid"],
] as const;

test("does what kubelet does, in its words", async () => {
  const reasons = new Set<string | undefined>();
  for (const steps of sequences) {
    let nowMs = 0;
    let step: Step | undefined;
    const service = serviceFor(() => step);
    const puller = createImagePuller({ service, nowMs: () => nowMs });
    for (const [index, current] of steps.entries()) {
      step = current;
      nowMs += step.advanceMs;
      const events: PullEvent[] = [];
      const { id, reason, message } = await puller.ensureImage(
        { podUid: step.pod, image: step.image, policy: step.policy },
        (event) => void events.push(event),
      );
      const shown = `step ${index} of ${JSON.stringify(steps.slice(0, index + 1))}`;
      expect({ id, reason, message }, shown).toEqual({
        id: step.id,
        reason: step.reason,
        message: step.message === undefined ? undefined : comparable(step.message, step.image),
      });
      expect(events.map(textOf), shown).toEqual(
        step.events.map((text) => comparable(text, step?.image ?? "")),
      );
      reasons.add(reason);
    }
  }
  expect(reasons.size).toBe(8);
});

async function unused(): Promise<never> {
  return Promise.reject(new Error("not for this"));
}

function serviceFor(current: () => Step | undefined): ImageService {
  let pulled: Step | undefined;
  return {
    formats: new Set(["dockerImage"]),
    pullImage: async () => {
      const text = current()?.pullError;
      if (text !== undefined) throw errorFor(text);
      pulled = current();
      return Promise.resolve("sha256:pulled");
    },
    imageStatus: async () => {
      const { present, inspectError } = current() ?? {};
      if (pulled === current()) return Promise.resolve(storedImage("sha256:pulled"));
      if (inspectError !== undefined) throw new FairleadError("runtime-failed", inspectError);
      return Promise.resolve(present === undefined ? undefined : storedImage(present));
    },
    isImagePresent: unused,
    removeImage: unused,
    listImages: unused,
    imageFsInfo: unused,
    close: async () => Promise.resolve(),
  };
}

function storedImage(id: string): StoredImage {
  return { id, format: "dockerImage", names: [], digests: [], sizeBytes: 4321, pinned: false };
}

function errorFor(text: string): FairleadError {
  const named = namedErrors.find(([name]) => text.startsWith(name));
  if (named === undefined) return new FairleadError("runtime-failed", text);
  const [name, code] = named;
  return new FairleadError(code, text.slice(name.length));
}

function textOf({ type, reason, message }: PullEvent): string {
  return `${type} ${reason} ${withoutTimes(message)}`;
}

/** Kubelet's text without the name of an error in what a runtime said, and with the image where it forgets it. */
function comparable(text: string, image: string): string {
  return withoutTimes(text)
    .replace(/(Failed to pull image "[^"]*": )(?:RegistryUnavailable|SignatureValidationFailed): /u, "$1")
    .replace('Failed to inspect image ""', `Failed to inspect image ${JSON.stringify(image)}`);
}

/** The program that made the cases took its time. */
function withoutTimes(text: string): string {
  return text.replace(/ in \S+ \(\S+ including waiting\)/u, " in …");
}
