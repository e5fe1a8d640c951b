import { newForecastNo, newId } from '@parcelway/kernel/ids';
import { pause } from '../suite.ts';
import { monotonicNow, publishOpenLoop } from './open-loop.ts';
import type { Receiver } from './receiver.ts';
import { type LoadResult, summarise } from './report/summary.ts';
import { behaviourOf, type Load } from './shapes.ts';
import type { BenchEvent, Side, Usage } from './sides/side.ts';

/**
 * Before the measure, so that neither compilers nor connections are cold. After 4,000 events compiling still takes 15 % of the service's processor time
 * in C; after 45,000, 5 %.
 */
const WARM_UP = { perSecond: 1000, publishers: 1, count: 20_000, retryForMs: 20_000 };
/** Publishing goes on for at most this long after it was due, however slow the side is. */
const RETRY_FOR_MS = 60_000;
/** What was accepted is waited for this long after the last publishing: a lease of a killed process lasts a minute. */
const DRAIN_WITHIN_MS = 150_000;
/** When all has arrived, duplicates get this long to come. */
const DUPLICATES_WITHIN_MS = 1000;
const LOOK_EVERY_MS = 100;
const PROGRESS_EVERY_MS = 5000;

/** What a load is measured with. */
export interface Measure {
  readonly load: Load;
  readonly seconds: number;
  readonly side: Side;
  readonly receiver: Receiver;
  progress(text: string): void;
}

/** The tenant of an event: they take turns. */
const tenantIdOf = (tenant: number): string => `tnt_bench${tenant}`;

function eventFor(tenant: number): BenchEvent {
  return { id: newId('evt'), tenantId: tenantIdOf(tenant), forecastNo: newForecastNo(Date.now()), poNumber: `BENCH-${tenant}` };
}

/** What was used between two readings. */
const usedSince = (before: Usage, after: Usage): Usage =>
  Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));

/** Waits until as many have arrived. @returns false when they have not within the time */
async function awaitArrivals(receiver: Receiver, count: number, withinMs: number): Promise<boolean> {
  const deadline = monotonicNow() + withinMs;
  while ((await receiver.counts()).arrived < count) {
    if (monotonicNow() > deadline) return false;
    await pause(LOOK_EVERY_MS);
  }
  return true;
}

async function warmUp({ load, side, receiver }: Measure): Promise<void> {
  const first = load.hanging + load.failing;
  const published = await publishOpenLoop({
    ...WARM_UP,
    publish: (index) => side.publish(eventFor(first + (index % (load.tenants - first)))),
  });
  const accepted = published.filter((one) => one.acknowledged !== undefined).length;
  if (accepted === 0) throw new Error(`${side.name} accepts no events`);
  if (!(await awaitArrivals(receiver, accepted, WARM_UP.retryForMs))) throw new Error(`${side.name} does not deliver`);
  await pause(500);
  await receiver.reset();
}

/** Reports every few seconds how far it is. */
function reportProgress({ load, side, receiver, progress }: Measure, publishedSoFar: () => number): { stop(): void } {
  const begun = monotonicNow();
  const timer = setInterval(() => {
    receiver.counts().then(
      ({ arrived }) => {
        const seconds = Math.round((monotonicNow() - begun) / 1000);
        progress(`${side.name}: ${load.name}: ${seconds} s, ${publishedSoFar()} accepted, ${arrived} arrived`);
      },
      () => undefined, // Only progress: the measure itself asks again and fails if it must.
    );
  }, PROGRESS_EVERY_MS);
  return { stop: () => clearInterval(timer) };
}

/** Measures one load on one side, within seconds + 3½ minutes. @throws Error when the side does not work at all */
export async function measureLoad(measure: Measure): Promise<LoadResult> {
  const { load, seconds, side, receiver } = measure;
  const tenants = Array.from({ length: load.tenants }, (_, tenant) => tenant);
  await side.register(
    tenants.map((tenant) => ({ tenantId: tenantIdOf(tenant), url: receiver.urlOf(behaviourOf(load, tenant), `${tenant}`) })),
  );
  await warmUp(measure);
  const count = Math.round(load.perSecond * seconds);
  const events = Array.from({ length: count }, (_, index) => eventFor(index % load.tenants));
  const isExpected = (index: number): boolean => behaviourOf(load, index % load.tenants) === 'ok';
  let accepted = 0;
  const reporting = reportProgress(measure, () => accepted);
  try {
    const before = await side.usage();
    const killed = load.kill ? killHalfWay(side, seconds, measure.progress) : Promise.resolve();
    // The first failure is reported below; until then a failure must not be taken for one that nobody awaits.
    killed.catch(() => undefined);
    const published = await publishOpenLoop({
      perSecond: load.perSecond,
      publishers: load.publishers,
      count,
      retryForMs: RETRY_FOR_MS,
      publish: async (index) => {
        await side.publish(events[index] as BenchEvent);
        accepted += 1;
      },
    });
    await killed;
    const expected = published.filter((one, index) => one?.acknowledged !== undefined && isExpected(index)).length;
    await awaitArrivals(receiver, expected, DRAIN_WITHIN_MS);
    const waitedUntil = monotonicNow();
    const used = usedSince(before, await side.usage());
    await pause(DUPLICATES_WITHIN_MS);
    const arrivals = await receiver.arrivals();
    return summarise({
      about: { load: load.name, side: side.name },
      published,
      isExpected,
      arrivalOf: (index) => arrivals.get((events[index] as BenchEvent).id),
      counts: await receiver.counts(),
      used,
      waitedUntil,
    });
  } finally {
    reporting.stop();
  }
}

async function killHalfWay(side: Side, seconds: number, progress: (text: string) => void): Promise<void> {
  await pause((seconds * 1000) / 2);
  const begun = monotonicNow();
  await side.killAndRestart();
  progress(`${side.name}: killed, and ready again after ${Math.round(monotonicNow() - begun)} ms`);
}
