import { zoneAbbreviation } from "./time-zone-names.ts";

/** A place's time (Go's time.Location). */
export interface TimeZone {
  readonly name: string;
  /** What clocks show there at a time in seconds since 1970. */
  at(unixSeconds: bigint): ZoneTime;
}

export interface ZoneTime {
  /** Such as `CET`; empty where there is none. */
  readonly abbreviation: string;
  /** Seconds east of Greenwich. */
  readonly offset: number;
}

/** A zone that is always the same (Go's time.FixedZone). */
export function fixedZone(name: string, offset: number): TimeZone {
  const time = { abbreviation: name, offset };
  return { name, at: () => time };
}

export const utc: TimeZone = fixedZone("UTC", 0);

/** The zone of the machine that renders, which is UTC: the same input gives the same output everywhere. */
export const localZone: TimeZone = { name: "Local", at: () => ({ abbreviation: "UTC", offset: 0 }) };

/** A zone by its name in the IANA database, `UTC`, `Local` or nothing (Go's time.LoadLocation). */
export function tryLoadZone(name: string): TimeZone | undefined {
  if (name === "" || name === "UTC") return utc;
  if (name === "Local") return localZone;
  if (!/^[A-Z][\w+/-]*$/iu.test(name)) return undefined;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  } catch {
    return undefined;
  }
  const { timeZone } = format.resolvedOptions();
  // Files of the database are found by their exact names.
  if (timeZone !== name && timeZone.toLowerCase() === name.toLowerCase()) return undefined;
  return {
    name,
    at(unixSeconds) {
      const offset = offsetIn(format, unixSeconds);
      return { abbreviation: zoneAbbreviation(name, offset), offset };
    },
  };
}

/** The last second that a JavaScript Date can hold, and less its negative the first. */
const maxDateSeconds = 8_640_000_000_000n;

function offsetIn(format: Intl.DateTimeFormat, unixSeconds: bigint): number {
  const inRange =
    unixSeconds > maxDateSeconds
      ? maxDateSeconds
      : unixSeconds < -maxDateSeconds
        ? -maxDateSeconds
        : unixSeconds;
  const parts = format.formatToParts(Number(inRange) * 1000);
  const text = parts.find((part) => part.type === "timeZoneName")?.value ?? "";
  const match = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/u.exec(text);
  if (match === null) return 0;
  const [, sign, hours, minutes, seconds = 0] = match;
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === "-" ? -offset : offset;
}
