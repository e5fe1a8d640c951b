import type { ServerRow, ServerStage } from './source-server.ts';

const MINUTE_MS = 60_000;

/** A row of so many minutes ago, in Hamburg. */
export function recentRow(stage: ServerStage, minutesAgo: number): ServerRow {
  const at = new Date(Date.now() - minutesAgo * MINUTE_MS).toISOString().replace(/\.\d+Z$/, '+00:00');
  return { stage, at, city: 'Hamburg', country: 'DE' };
}
