/**
 * What the answer to a duplicate (429) says of the window that is open, as notification-controller's rate limit does.
 * @param resetMs when the window is over, in milliseconds since 1970
 */
export function duplicateHeaders(resetMs: number): Readonly<Record<string, string>> {
  const reset = new Date(resetMs).toUTCString();
  return {
    "X-RateLimit-Limit": "1",
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset": reset,
    "Retry-After": reset,
  };
}
