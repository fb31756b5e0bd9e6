import { expect, test } from "vitest";
import { isTold, type LogOptions } from "./log-options.ts";

test.each<[string, Partial<LogOptions>, string[]]>([
  ["by default", {}, ["warning", "error"]],
  ["--log-level info", { logLevel: "info" }, ["info", "warning", "error"]],
  ["--log-level error", { logLevel: "error" }, ["error"]],
  ["--verbose", { verbose: true }, ["info", "warning", "error"]],
  ["--verbose --log-level error", { verbose: true, logLevel: "error" }, ["info", "warning", "error"]],
])("findings told %s", (_name, options, told) => {
  const given: LogOptions = { logLevel: "warn", logFormat: "text", ...options };
  expect((["info", "warning", "error"] as const).filter((severity) => isTold(severity, given))).toEqual(told);
});
