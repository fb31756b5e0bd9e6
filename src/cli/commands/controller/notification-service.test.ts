import { Command } from "commander";
import { afterEach, beforeEach, expect, test } from "vitest";
import { OpenedFolder } from "../../../../test/support/opened-folder.ts";
import type { ObjectApi } from "../../../cluster/api/object-api.ts";
import { resourceTypes } from "../../../cluster/api/resource-types.ts";
import { createAddressGuard } from "../../../core/address-guard.ts";
import { createLogger } from "../../../core/log.ts";
import { startListener } from "../../../serving/listener.ts";
import { describeTerminal } from "../../output/terminal.ts";
import { addControllerOptions, type ControllerOptions } from "./controller-options.ts";
import { NotificationService } from "./notification-service.ts";

const folder = new OpenedFolder();
const log = createLogger({ level: "error", format: "text", write: () => undefined });
let service: NotificationService;
/** The address of the server of events. */
let events: string;
let asked: PromiseWithResolvers<void>;
let mayAnswer: PromiseWithResolvers<void>;

/** A Receiver whose Secret is given when a test says so. */
beforeEach(async () => {
  const types = ["v1, kind: Secret", "notification.toolkit.fluxcd.io/v1, kind: Receiver"];
  const rest = [
    "stringData: {token: t}",
    "spec: {type: generic, secretRef: {name: it}, resources: [{kind: GitRepository, name: it}]}",
  ];
  for (const [index, type] of types.entries()) {
    const head = `{apiVersion: ${type}, metadata: {name: it, namespace: apps}, `;
    await folder.write(`${index}.yaml`, `${head}${rest[index]}}\n`);
  }
  await folder.open();
  asked = Promise.withResolvers<void>();
  mayAnswer = Promise.withResolvers<void>();
  const { api: inner } = folder;
  const get: ObjectApi["get"] = async (type, name, options) => {
    if (type === resourceTypes.Secret) {
      asked.resolve();
      await mayAnswer.promise;
    }
    return inner.get(type, name, options);
  };
  const api: ObjectApi = {
    get,
    list: async (...parameters) => inner.list(...parameters),
    watch: (...parameters) => inner.watch(...parameters),
    create: async (...parameters) => inner.create(...parameters),
    patch: async (...parameters) => inner.patch(...parameters),
    patchStatus: async (...parameters) => inner.patchStatus(...parameters),
    delete: async (...parameters) => inner.delete(...parameters),
    close: async () => inner.close(),
  };
  const free = await startListener({ host: "127.0.0.1", port: 0 }, () => undefined);
  events = free.address;
  await free.close(0);
  const listen = [`--events-listen=${events}`, "--receiver-addr=127.0.0.1:0"];
  service = new NotificationService({
    options: addControllerOptions(new Command()).parse(listen, { from: "user" }).opts<ControllerOptions>(),
    environment: { api, occurrences: { record: () => undefined }, log, concurrency: 1 },
    serviceAccountToken: undefined,
    guard: createAddressGuard(),
    kubernetesEvents: { record: () => undefined },
    log,
    io: {
      stdin: async () => Promise.resolve(new Uint8Array()),
      stdout: () => undefined,
      stderr: () => undefined,
      env: {},
      stdoutTerminal: describeTerminal({ isTTY: false }, {}),
      stderrTerminal: describeTerminal({ isTTY: false }, {}),
      signal: new AbortController().signal,
    },
  });
  service.controllers.watch();
});

afterEach(async () => service.controllers.stop(0));

test("what is stopped while it begins to serve serves nothing afterwards", async () => {
  const serving = service.serve();
  await asked.promise;
  const stopped = service.stop(1000);
  mayAnswer.resolve();
  await stopped;
  await expect(serving).rejects.toMatchObject({ code: "aborted" });
  await expect(fetch(`http://${events}/`)).rejects.toThrow("fetch failed");
});

test("what is stopped before the objects are known does not begin", async () => {
  await service.controllers.stop(0);
  await service.stop(1000);
  await expect(service.serve()).rejects.toMatchObject({ code: "aborted" });
});
