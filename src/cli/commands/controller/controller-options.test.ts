import { Command } from "commander";
import { expect, test } from "vitest";
import {
  addControllerOptions,
  type ControllerOptions,
  eventsUrl,
  leaseName,
  requireConsistentOptions,
} from "./controller-options.ts";

function parse(flags: readonly string[]): ControllerOptions {
  return addControllerOptions(new Command()).parse(flags, { from: "user" }).opts<ControllerOptions>();
}

test.each<[name: string, flags: readonly string[], told: string]>([
  [
    "a kubeconfig beside a folder",
    ["--config", "objects", "--kubeconfig", "config", "--context", "prod"],
    "--config and --kubeconfig, --context exclude each other",
  ],
  [
    "leaders of a folder",
    ["--config", "objects", "--enable-leader-election"],
    "--config and --enable-leader-election exclude each other",
  ],
  [
    "rests that become shorter",
    ["--min-retry-delay", "10m", "--max-retry-delay", "1s"],
    "--min-retry-delay is longer than --max-retry-delay",
  ],
  [
    "a first rest beyond the longest",
    ["--min-retry-delay", "16m"],
    "--min-retry-delay is longer than --max-retry-delay",
  ],
])("%s is refused", (_name, flags, message) => {
  expect(() => requireConsistentOptions(parse(flags))).toThrow(
    expect.objectContaining({ code: "input-invalid", message }),
  );
});

test.each<[name: string, flags: readonly string[]]>([
  ["nothing", []],
  ["a folder", ["--config", "objects"]],
  ["rests that stay the same", ["--min-retry-delay", "1s", "--max-retry-delay", "1s"]],
])("%s is taken", (_name, flags) => {
  expect(() => requireConsistentOptions(parse(flags))).not.toThrow();
});

test.each<[name: string, flags: readonly string[], url: string | undefined]>([
  ["this process", [], "http://127.0.0.1:9090/"],
  ["an address of this process", ["--events-listen", "[::1]:1"], "http://[::1]:1/"],
  ["nowhere", ["--controllers", "image-reflector"], undefined],
  ["elsewhere", ["--events-addr", "http://notification-controller"], "http://notification-controller/"],
])("events go to %s", (_name, flags, url) => {
  expect(eventsUrl(parse(flags))).toBe(url);
});

test.each(["notification-controller", "notification-controller:80", "ftp://secret@host"])(
  "events cannot go to %s",
  (address) => {
    expect(() => eventsUrl(parse(["--events-addr", address]))).toThrow(
      expect.objectContaining({
        code: "input-invalid",
        message: "--events-addr must be a URL with http or https",
        hint: "such as http://notification-controller.flux-system/",
      }),
    );
  },
);

test.each(["a in (", "=x", "a!!b"])("%s selects no objects", (selector) => {
  const command = addControllerOptions(new Command().exitOverride().configureOutput({ writeErr: () => {} }));
  expect(() => command.parse(["--watch-label-selector", selector], { from: "user" })).toThrow(
    /--watch-label-selector.* is invalid\. It must be a label selector such as /u,
  );
});

test("no selector is one of all objects", () => {
  expect(leaseName("notification", parse([]).watchLabelSelector)).toBe(
    "notification-controller-leader-election",
  );
});

test.each([
  ["key in (a, b)", "key in (a, b)"],
  [" ", ""],
])("%j selects objects", (selector, kept) => {
  expect(parse(["--watch-label-selector", selector]).watchLabelSelector).toBe(kept);
});
