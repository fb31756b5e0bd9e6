import { escapeControls, escapeJson, escapeLine } from "./escape.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFormat = "text" | "json";
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** Messages are static text; what varies goes into `fields`. */
export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

export interface LoggerOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  /** Receives one finished line without its line end. */
  readonly write: (line: string) => void;
  readonly now?: () => Date;
}

/** A logger that writes one line a message: `level message key=value …`, or one JSON object. */
export function createLogger(options: LoggerOptions): Logger {
  const threshold = logLevels.indexOf(options.level);
  const now = options.now ?? ((): Date => new Date());
  const log = (level: LogLevel, message: string, fields: LogFields = {}): void => {
    if (logLevels.indexOf(level) < threshold) return;
    const known = Object.entries(fields).filter(([, value]) => value !== undefined);
    if (options.format === "json") {
      options.write(
        formatRecord({ time: now().toISOString(), level, message, ...Object.fromEntries(known) }),
      );
      return;
    }
    const pairs = known.map(([key, value]) => ` ${key}=${quoteField(String(value))}`).join("");
    options.write(escapeLine(`${level}: ${message}${pairs}`));
  };
  return {
    debug: (message, fields) => log("debug", message, fields),
    info: (message, fields) => log("info", message, fields),
    warn: (message, fields) => log("warn", message, fields),
    error: (message, fields) => log("error", message, fields),
  };
}

/** One line of a log in JSON, safe to print. */
export function formatRecord(record: Readonly<Record<string, unknown>>): string {
  return escapeJson(JSON.stringify(record));
}

function quoteField(value: string): string {
  return /^[^\s"=]+$/u.test(value) && value === escapeControls(value) ? value : JSON.stringify(value);
}
