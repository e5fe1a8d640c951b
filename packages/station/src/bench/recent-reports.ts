import type { Resolved } from '../domain/bench.ts';
import { comparable, type Size } from '../domain/entry.ts';
import type { QueuedReport, ReportWarning } from '../queue/queued-report.ts';

export interface RecentReport {
  readonly eventId: string;
  readonly title: string;
  readonly type: string;
  readonly measured?: { readonly weightKg: number; readonly size: Size } | undefined;
  readonly photos?: number;
  readonly warning?: { readonly rule: string; readonly message: string };
  readonly resolved?: { readonly claimedFor?: string };
}

export type RecentState = 'waiting' | 'sent' | 'refused' | 'warned' | 'claimed' | 'dismissed';
export const MAX_RECENT = 100;

export const withNew = (recent: readonly RecentReport[], made: readonly RecentReport[]): RecentReport[] =>
  [...made].reverse().concat(recent).slice(0, MAX_RECENT);

export function withWarnings(recent: readonly RecentReport[], warnings: readonly ReportWarning[]): RecentReport[] {
  const byId = new Map(warnings.map(({ report, rule, message }) => [report.stamp.event_id, { rule, message }]));
  return recent.map((each) => {
    const warning = byId.get(each.eventId);
    return warning === undefined ? each : { ...each, warning };
  });
}

const UNCLAIMED = new Set(['no_forecast', 'ambiguous', 'takes_no_dispatch']);

/** The same reports once a parcel was claimed or dismissed: those that were on view, and those that waited under its number. */
export function withResolved(recent: readonly RecentReport[], { number, ids, claimedFor }: Resolved): RecentReport[] {
  const resolved = claimedFor === undefined ? {} : { claimedFor };
  const isOfIt = ({ eventId, title, warning }: RecentReport): boolean =>
    ids.includes(eventId) || (UNCLAIMED.has(warning?.rule ?? '') && comparable(title) === comparable(number));
  return recent.map((each) => (each.resolved === undefined && isOfIt(each) ? { ...each, resolved } : each));
}

/** What became of a report: one that is no longer queued was accepted. */
export function stateOf({ eventId, warning, resolved }: RecentReport, queued: readonly QueuedReport[]): RecentState {
  const report = queued.find(({ stamp }) => stamp.event_id === eventId);
  if (report !== undefined) return report.fault === undefined ? 'waiting' : 'refused';
  if (resolved !== undefined) return resolved.claimedFor === undefined ? 'dismissed' : 'claimed';
  return warning === undefined ? 'sent' : 'warned';
}
