/**
 * The time that a `Retry-After` header asks for, in seconds or as a date (RFC 9110, 10.2.3).
 * Undefined for none or one that cannot be read; 0 for a date that has passed.
 */
export function tryParseRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined || header.length > 64) return undefined;
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/u.test(text)) return Number(text) * 1000;
  // Date.parse takes far more than the dates of HTTP, such as bare numbers.
  if (!/^[A-Z][a-z]{2,8}, /u.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
