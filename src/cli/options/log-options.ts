import type { Severity } from "../../core/diagnostic.ts";
import { type Command, Option } from "commander";
import { createLogger, logLevels, type LogFormat, type Logger, type LogLevel } from "../../core/log.ts";
import type { CliIo } from "../io.ts";

/** Flags that every command has. */
export interface LogOptions {
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  readonly verbose?: boolean;
}

/** Adds {@link LogOptions}; what runs for long tells more of itself. */
export function addLogOptions(command: Command, level: LogLevel = "warn"): Command {
  return command
    .addOption(
      new Option("--log-level <level>", "least level of the log and of the findings told")
        .choices(logLevels)
        .default(level),
    )
    .addOption(
      new Option("--log-format <format>", "form of the log and of all that is told beside it")
        .choices(["text", "json"])
        .default("text"),
    )
    .option("--verbose", "tell in detail what is done; the same as --log-level debug");
}

/** The logger of a command: one line a message, to standard error. */
export function loggerFor(options: LogOptions, io: CliIo): Logger {
  return createLogger({
    level: isVerbose(options) ? "debug" : options.logLevel,
    format: options.logFormat,
    write: (line) => io.stderr(`${line}\n`),
  });
}

const severityLevels: Readonly<Record<Severity, LogLevel>> = {
  error: "error",
  warning: "warn",
  info: "info",
};

/** Whether findings of a severity are told: the log's level holds for them as well as for the log. */
export function isTold(severity: Severity, options: LogOptions): boolean {
  const least = isVerbose(options) ? "debug" : options.logLevel;
  return logLevels.indexOf(severityLevels[severity]) >= logLevels.indexOf(least);
}

/** Whether each image is told, and every finding. */
export function isVerbose(options: LogOptions): boolean {
  return options.verbose === true || options.logLevel === "debug";
}

/** The log format that arguments ask for, also where they cannot be parsed otherwise. */
export function logFormatOf(args: readonly string[]): LogFormat {
  const asksForJson = args.some(
    (arg, index) => arg === "--log-format=json" || (arg === "json" && args[index - 1] === "--log-format"),
  );
  return asksForJson ? "json" : "text";
}
