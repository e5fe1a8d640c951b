import { samplePdf } from '@parcelway/harness/sample-data';
import { request } from 'undici';
import { BATCH, type LoadName, type ReferenceLoad } from '../../capacity/works.ts';
import { closedLoopOf } from '../../closed-loop.ts';
import { serviceProcesses } from '../../distributed-stage.ts';
import { type Parcel, submissionWriter } from '../../parcels.ts';
import { pictureLabel } from '../../picture-label.ts';
import { pause, type SuiteOptions } from '../../suite.ts';
import { type Cost, type Idle, type Load, measureCost, measureIdle, measureLoad } from './measure-load.ts';
import * as loads from './parcel-loads.ts';
import { referenceLoads, uploading } from './reference-loads.ts';
import type { Rig } from './rig.ts';

/** How often a watched parcel is polled, for the platform's schedule. */
export const POLL_EVERY_SECONDS = 3;
const CONNECTIONS = 50;
const MEGABYTE = 1_000_000;

/** Pieces a second of each load. Together with what follows from them they leave a quiet machine of two cores half idle. */
const RATES = { events: 60, large: 20, batches: 3, queries: 100, uploads1: 10, uploads10: 2, downloads: 30, dispatches: 50 } as const;

/** What one cycle measured. */
export interface CapacityCycle {
  readonly idle: Idle;
  readonly costs: Readonly<Record<LoadName, Cost>>;
  readonly references: Readonly<Record<ReferenceLoad, number>>;
}

/** Polls that tracking has begun so far, by its own metric. */
async function pollsOf({ stage }: Rig): Promise<number> {
  const tracking = stage.platform.services().find(({ name }) => name.startsWith('tracking-'));
  const response = await request(`${tracking?.admin_url}/metrics`, { headersTimeout: 5000, bodyTimeout: 5000 });
  const line = /^parcelway_tracking_poll_delay_seconds_count(?:\{[^}]*\})? (\S+)$/m.exec(await response.body.text());
  return line === null ? 0 : Number(line[1]);
}

async function moreParcels({ stage, quietMerchant }: Rig, count: number): Promise<Parcel[]> {
  const write = submissionWriter(stage.warehouseCode, 1);
  const parcels: Parcel[] = [];
  await closedLoopOf(CONNECTIONS, count, async () => {
    parcels.push(await quietMerchant.post<Parcel>('/open/v1/forecasts', write()));
  });
  await stage.log.settled();
  return parcels;
}

/** Uploads a PDF. @returns its URL */
async function uploadFile({ stage }: Rig, content: Buffer): Promise<string> {
  const { data } = await stage.platform.client(stage.tenantKey).upload<{ url: string }>('/open/v1/files/pdf', 'file.pdf', content);
  return data.url;
}

/** So long a service may take to come to rest, milliseconds: `file` renders the documents of a cycle's parcels, and inspects a large PDF after the response. */
const REST_WITHIN_MS = 300_000;

/** Until services rest. @throws Error when they do not in time */
async function atRest(rig: Rig, services: readonly string[]): Promise<void> {
  const used = (): number[] => {
    const cpu = rig.cpu();
    return services.map((service) => cpu[service] as number);
  };
  const until = performance.now() + REST_WITHIN_MS;
  // Between two pieces of work they rest for a moment.
  for (let quiet = 0, before = used(); performance.now() < until; ) {
    await pause(200);
    const now = used();
    quiet = now.every((each, index) => each - (before[index] as number) < 10_000) ? quiet + 1 : 0;
    if (quiet === 5) return;
    before = now;
  }
  throw new Error(`${services.join(', ')} did not come to rest within ${REST_WITHIN_MS / 1000} s`);
}

/** Dispatches, polls, deliveries and queries of the same parcels. */
async function onTheirWay(rig: Rig, idle: Idle, parcels: readonly Parcel[], seconds: number) {
  const { stage, merchant } = rig;
  const dispatch = await measureLoad(rig, idle, loads.dispatching(rig, RATES.dispatches, parcels));
  // Each has been asked for at once; from now on the schedule decides.
  await pause(1000 * POLL_EVERY_SECONDS * 0.5);
  const poll = await measureCost(rig, idle, async () => {
    const before = await pollsOf(rig);
    await pause(1000 * Math.max(seconds, POLL_EVERY_SECONDS));
    return (await pollsOf(rig)) - before;
  });
  await measureLoad(rig, idle, await loads.deliver(rig, RATES.dispatches, parcels));
  const paths = parcels.map(({ po_number }) => `/open/v1/forecasts/tracking?po_number=${po_number}`);
  const rate = { perSecond: RATES.queries, count: Math.round(RATES.queries * seconds) };
  const trackingQuery = await measureLoad(rig, idle, loads.asking(merchant, rate, paths));
  await stage.log.settled();
  return { dispatch, poll, trackingQuery };
}

/** Makes every load once, one after the other. @param seconds of each */
export async function capacityCycle(options: SuiteOptions, rig: Rig, seconds: number): Promise<CapacityCycle> {
  const { merchant, quietMerchant, stage } = rig;
  const at = (perSecond: number): Pick<Load, 'perSecond' | 'count'> => ({ perSecond, count: Math.max(4, Math.round(perSecond * seconds)) });
  await stage.log.settled();
  options.progress('coming to rest');
  await atRest(rig, serviceProcesses);
  options.progress('idle');
  const idle = await measureIdle(rig, seconds * 1000);
  const measure = (load: Load): Promise<Cost> => measureLoad(rig, idle, load);
  options.progress('submissions');
  const parcels: Parcel[] = [];
  const submit1 = await measure(
    loads.submitting(
      rig,
      merchant,
      { ...at(RATES.events), items: 1, pdf: await uploadFile(rig, samplePdf(`file ${performance.now()}`)) },
      parcels,
    ),
  );
  const submit100 = await measure(loads.submitting(rig, quietMerchant, { ...at(RATES.large), items: 100 }, []));
  options.progress('weighings');
  const batches = at(RATES.batches).count;
  const more = await moreParcels(rig, batches * BATCH + at(RATES.events).count);
  const weighing = await measure(loads.weighing(rig, RATES.events, parcels));
  const batch = await measure(loads.weighingInBatches(rig, RATES.batches, more.slice(0, batches * BATCH)));
  const kafkaWeighing = await measure(loads.weighingOnKafka(rig, RATES.events, more.slice(batches * BATCH)));
  const queries = parcels.map(({ po_number }) => `/open/v1/forecasts/weighing?po_number=${po_number}`);
  const query = await measure(loads.asking(merchant, at(RATES.queries), queries));
  options.progress('files');
  const settle = (): Promise<void> => atRest(rig, ['file']);
  const upload1 = await measure({ ...uploading(merchant, 1, at(RATES.uploads1)), settle });
  const upload10 = await measure({ ...uploading(merchant, 10, at(RATES.uploads10)), settle });
  const { pathname } = new URL(await uploadFile(rig, pictureLabel(MEGABYTE)));
  await settle();
  const download1 = await measure(loads.asking(merchant, at(RATES.downloads), [pathname]));
  options.progress('parcels on their way');
  const way = await onTheirWay(rig, idle, parcels, seconds);
  options.progress('references');
  const references: Partial<Record<ReferenceLoad, number>> = {};
  for (const { name, process, load } of referenceLoads(rig, seconds)) references[name] = (await measure(load)).cpu[process] as number;
  const costs = { submit1, submit100, weighing, batch, kafkaWeighing, query, upload1, upload10, download1, ...way };
  return { idle, costs, references: references as Record<ReferenceLoad, number> };
}
