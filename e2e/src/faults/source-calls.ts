import type { ServerCall, SourceServer } from '@parcelway/harness/sources/source-server';

/** Calls a second that vendors allow; a source that is not here names no limit (docs/tracking.md). */
const RATES: Readonly<Record<string, number>> = { '17track': 3, easypost: 5, aftership: 5, dhl: 0.2 };
/** A call that starts late on a busy machine comes closer to the next one than it was sent: the rate is judged over so long, or over two calls. */
const WINDOW_MS = 5000;

/** The calls that a vendor counts. */
export function countedCalls({ calls }: Pick<SourceServer, 'calls'>): readonly ServerCall[] {
  return calls.filter(({ kind }) => kind !== 'token');
}

/** The calls about one parcel. */
export function callsFor({ calls }: Pick<SourceServer, 'calls'>, number: string, kind?: ServerCall['kind']): readonly ServerCall[] {
  return calls.filter((call) => call.numbers.includes(number) && (kind === undefined || call.kind === kind));
}

/** Says where a server got more calls than the rate of its vendor allows, from all processes together. */
export function beyondRate(server: Pick<SourceServer, 'name' | 'calls'>): string[] {
  const perSecond = RATES[server.name];
  if (perSecond === undefined) return [];
  const windowMs = Math.max(WINDOW_MS, 2000 / perSecond);
  const allowed = Math.round((perSecond * windowMs) / 1000);
  const calls = countedCalls(server);
  const most = Math.max(0, ...calls.map(({ at: from }) => calls.filter(({ at }) => at >= from && at < from + windowMs).length));
  return most > allowed ? [`${server.name} got ${most} calls in ${windowMs / 1000} s instead of ${allowed} at most`] : [];
}

/** A call that is on its way when the server refuses another one arrives within this time: nobody can hold it back. On a machine with much to do it takes longer. */
export const ON_ITS_WAY_MS = 1000;

/** Says which calls a server got within a time in which it was to be left alone. Times in epoch milliseconds. @param from when it refused a call */
export function callsBetween(server: Pick<SourceServer, 'name' | 'calls'>, from: number, to: number): string[] {
  const early = countedCalls(server).filter(({ at }) => at > from + ON_ITS_WAY_MS && at < to);
  return early.map(({ kind, at }) => `${server.name} got a call (${kind}) ${at - from} ms after it had refused one`);
}
