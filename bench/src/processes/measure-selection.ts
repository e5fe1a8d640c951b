import { systemClock } from '@parcelway/kernel/clock';
import { openMongoStores } from '@parcelway/service-tracking/adapters/mongo-stores';
import { createSqliteTrackingStore } from '@parcelway/service-tracking/adapters/sqlite-tracking-store';
import { leaseEnd } from '@parcelway/service-tracking/domain/lease';
import type { TrackingStore } from '@parcelway/service-tracking/ports';
import { createRecordFacts } from '@parcelway/service-tracking/record-facts';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { median } from '../statistics.ts';
import { openTrackingDatabase } from '../tracking/mongo-shipments.ts';
import { trackingNumberOf } from '../tracking/numbers.ts';

/*
 * Takes due shipments as the poller of a tracking service does, and finds shipments by the numbers that a source pushes. Arguments: `sqlite` and the file
 * of the service, or `mongo` and the name of its database; how many shipments there are; how many leases and how many finds are measured. Each lease ends by
 * a rescheduling, which is not measured. Prints medians and means, as tracking/selection.ts Selection describes them.
 */

const [kind = '', place = '', count = '0', leases = '0', finds = '0'] = process.argv.slice(2);

/** Shipments that a poller takes at once. */
const LEASED = 32;
/** A push may change so many parcels of one number. */
const FOUND = 100;
const WARM_UP = 5;
const HOUR_MS = 3_600_000;

interface Opened {
  readonly store: TrackingStore;
  close(): Promise<void>;
}

async function openStore(): Promise<Opened> {
  if (kind === 'mongo') {
    const db = await openTrackingDatabase(place);
    return { store: openMongoStores(db, systemClock).store, close: () => db.close() };
  }
  const db = new SqliteDatabase(place);
  return { store: createSqliteTrackingStore(db, new SqliteOutbox(db)), close: async () => db.close() };
}

/** Time and CPU time of one piece of work, microseconds. */
interface Cost {
  readonly time: number;
  readonly cpu: number;
}

async function costOf<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly cost: Cost }> {
  const before = process.cpuUsage();
  const begun = performance.now();
  const result = await work();
  const time = (performance.now() - begun) * 1000;
  const { user, system } = process.cpuUsage(before);
  return { result, cost: { time, cpu: user + system } };
}

const { store, close } = await openStore();
const record = createRecordFacts({ parcels: store, environment: 'sandbox', notify: () => undefined });

async function lease(): Promise<Cost> {
  const now = Date.now();
  const { result: due, cost } = await costOf(() => store.lease(now, leaseEnd(now), LEASED));
  if (due.length !== LEASED) throw new Error(`A lease took ${due.length} shipments instead of ${LEASED}: too few are due`);
  await record(due.map((shipment) => ({ type: 'rescheduled', shipment, nextPollAt: now + HOUR_MS, failures: 0, now })));
  return cost;
}

async function find(): Promise<Cost> {
  const trackingNumber = trackingNumberOf(1 + Math.floor(Math.random() * Number(count)));
  const { result: found, cost } = await costOf(() => store.findByNumber(trackingNumber, FOUND));
  if (found.length !== 1) throw new Error(`${found.length} shipments have the number ${trackingNumber} instead of one`);
  return cost;
}

async function repeat(times: number, work: () => Promise<Cost>): Promise<{ readonly time: number; readonly cpu: number }> {
  for (let index = 0; index < WARM_UP; index += 1) await work();
  const costs: Cost[] = [];
  for (let index = 0; index < times; index += 1) costs.push(await work());
  return { time: median(costs.map(({ time }) => time)), cpu: median(costs.map(({ cpu }) => cpu)) };
}

const measured = { lease: await repeat(Number(leases), lease), find: await repeat(Number(finds), find) };
await close();
process.stdout.write(JSON.stringify({ ...measured, megabytes: process.resourceUsage().maxRSS / 1024 }));
