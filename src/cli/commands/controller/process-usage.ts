import type { ProcessUsage } from "../../../cluster/metrics/process-metrics.ts";

const startSeconds = (Date.now() - process.uptime() * 1000) / 1000;

/** What this process takes of the machine. */
export function processUsage(): ProcessUsage {
  const { user, system } = process.cpuUsage();
  return { cpuSeconds: (user + system) / 1e6, residentBytes: process.memoryUsage.rss(), startSeconds };
}
