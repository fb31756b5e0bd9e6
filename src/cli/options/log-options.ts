import { type Command, Option } from "commander";
import { createLogger, logLevels, type LogFormat, type Logger, type LogLevel } from "../../core/log.ts";
import type { CliIo } from "../io.ts";

/** Flags that every command has. */
export interface LogOptions {
  readonly logLevel: LogLevel;
  readonly logFormat: LogFormat;
  readonly verbose?: boolean;
}

/** Adds {@link LogOptions}. */
export function addLogOptions(command: Command): Command {
  return command
    .addOption(new Option("--log-level <level>", "least level of the log").choices(logLevels).default("warn"))
    .addOption(
      new Option("--log-format <format>", "form of the log").choices(["text", "json"]).default("text"),
    )
    .option("--verbose", "tell in detail what is done; the same as --log-level debug");
}

/** The logger of a command: one line a message, to standard error. */
export function loggerFor(options: LogOptions, io: CliIo): Logger {
  return createLogger({
    level: options.verbose === true ? "debug" : options.logLevel,
    format: options.logFormat,
    write: (line) => io.stderr(`${line}\n`),
  });
}
