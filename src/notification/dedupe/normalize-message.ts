/** Parts of words and numbers, with what holds them together. */
const tokenPattern = /[\p{L}\p{N}]+(?:[.:+_-]+[\p{L}\p{N}]+)*/gu;
const timePattern = /^(?:\d{4}-\d{2}-\d{2}(?:T.*)?|\d{1,2}:\d{2}:\d{2}(?:\.\d+)?)$/u;
const durationPattern = /^(?:\d+(?:\.\d+)?(?:ns|us|µs|μs|ms|s|m|h))+$/u;
const uuidPattern = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/giu;
/** How a Deployment names its Pods, in letters that spell no words. */
const podSuffixPattern = /-[bcdfghjklmnpqrstvwxz2456789]{6,10}-[bcdfghjklmnpqrstvwxz2456789]{5}$/u;
const segmentPattern = /[\p{L}\p{N}]+/gu;

/** Longer tokens are no times, durations or names of Pods. */
const maxTokenLength = 300;

/**
 * A message with its IDs, durations and times replaced, which are what floods of otherwise equal messages differ
 * in. It takes a time that grows with the message's length alone.
 */
export function normalizeMessage(message: string): string {
  return message.replaceAll(tokenPattern, normalizeToken);
}

function normalizeToken(token: string): string {
  if (token.length <= maxTokenLength) {
    if (timePattern.test(token)) return "<time>";
    if (durationPattern.test(token)) return "<duration>";
  }
  const withoutSuffix =
    token.length <= maxTokenLength
      ? token.replace(uuidPattern, "<id>").replace(podSuffixPattern, "-<id>")
      : token;
  return withoutSuffix.replaceAll(segmentPattern, (segment) => (isId(segment) ? "<id>" : segment));
}

/** Hashes in hexadecimal, of which seven digits are the shortest in use, and long numbers. */
function isId(segment: string): boolean {
  if (/^\d+$/u.test(segment)) return segment.length >= 9;
  return segment.length >= 7 && /^[0-9a-f]+$/iu.test(segment) && /\d/u.test(segment);
}
