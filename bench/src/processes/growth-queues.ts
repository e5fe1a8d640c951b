import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoFileRetention } from '@parcelway/service-file/retention/adapters/mongo-file-retention';
import { SqliteFileRetention } from '@parcelway/service-file/retention/adapters/sqlite-file-retention';
import type { FileRetention } from '@parcelway/service-file/retention/ports';
import { openMongoStores as openMongoForecasts } from '@parcelway/service-forecast/adapters/mongo-stores';
import { SqliteForecastExpiry } from '@parcelway/service-forecast/retention/adapters/sqlite-forecast-expiry';
import type { ForecastExpiry } from '@parcelway/service-forecast/retention/ports';
import { openMongoStores as openMongoTracking } from '@parcelway/service-tracking/adapters/mongo-stores';
import { createSqliteTrackingStore } from '@parcelway/service-tracking/adapters/sqlite-tracking-store';
import type { TrackingStore } from '@parcelway/service-tracking/ports';
import { openMongoStores as openMongoIntake, openMongoView } from '@parcelway/service-warehouse-intake/adapters/mongo-stores';
import { SqliteIntakeStore } from '@parcelway/service-warehouse-intake/matching/adapters/sqlite-intake-store';
import type { Recovery, Retention } from '@parcelway/service-warehouse-intake/matching/ports';
import { SqliteView } from '@parcelway/service-warehouse-intake/view/adapters/sqlite-view';
import type { ViewRetention } from '@parcelway/service-warehouse-intake/view/ports';
import { openMongoStores as openMongoWebhooks } from '@parcelway/service-webhook/adapters/mongo-stores';
import { openSqliteStores as openSqliteWebhooks } from '@parcelway/service-webhook/adapters/sqlite-stores';
import type { DeliveryQueue } from '@parcelway/service-webhook/queue/ports';
import type { Maintenance } from '@parcelway/service-webhook/retention/ports';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { endAfter } from '../child-server.ts';
import type { QueueCost, QueueOrder } from '../suites/growth/queues.ts';

/*
 * What the platform does by itself, by the stores of the services: takes what is due, and looks for what is over. Argument: JSON of a QueueOrder. Prints a list
 * of QueueCost. Nothing is over, and nothing but polls is due, as it is most of the time.
 */

const { kind, place, tenantId, endpointId, repeats, serverPid } = JSON.parse(process.argv[2] ?? '{}') as QueueOrder;
const DEADLINE_MS = 300_000;
const WARM_UP = 3;
const DAY_MS = 86_400_000;
const BATCH = 32;
const LIMIT = 100;
/** Before everything that is stored. */
const LONG_AGO = 1;

/** What is measured, of both kinds of stores. */
interface Stores {
  readonly outbox: { lease(limit: number): Promise<readonly unknown[]> };
  readonly expiry: ForecastExpiry;
  readonly files: FileRetention;
  readonly tracking: TrackingStore;
  readonly intake: Retention & Recovery;
  readonly view: ViewRetention;
  readonly queue: DeliveryQueue;
  readonly maintenance: Maintenance;
  close(): Promise<void>;
}

async function openSqlite(): Promise<Stores> {
  const [forecast, file, tracking, intake, webhook] = ['forecast', 'file', 'tracking', 'warehouse-intake', 'webhook'].map(
    (service) => new SqliteDatabase(join(place, `${service}.db`)),
  ) as [SqliteDatabase, SqliteDatabase, SqliteDatabase, SqliteDatabase, SqliteDatabase];
  const outbox = new SqliteOutbox(forecast);
  const { queue, maintenance } = await openSqliteWebhooks(webhook);
  return {
    outbox,
    expiry: new SqliteForecastExpiry(forecast, outbox),
    files: new SqliteFileRetention(file),
    tracking: createSqliteTrackingStore(tracking, new SqliteOutbox(tracking)),
    intake: new SqliteIntakeStore(intake, systemClock),
    view: new SqliteView(intake, systemClock),
    queue,
    maintenance,
    async close() {
      for (const db of [forecast, file, tracking, intake, webhook]) db.close();
    },
  };
}

async function openMongo(): Promise<Stores> {
  const opened: MongoDatabase[] = [];
  const open = async (service: string): Promise<MongoDatabase> => {
    const db = new MongoDatabase({ url: process.env['MONGODB_URL'] ?? '', name: `${place}-${service}`, logger: silentLogger });
    await db.connect();
    opened.push(db);
    return db;
  };
  const { outbox, expiry } = openMongoForecasts(await open('forecast'), (id) => id, systemClock);
  const intake = await open('warehouse-intake');
  const { queue, maintenance } = openMongoWebhooks(await open('webhook'));
  return {
    outbox,
    expiry,
    files: new MongoFileRetention(await open('file')),
    tracking: openMongoTracking(await open('tracking'), systemClock).store,
    intake: openMongoIntake(intake, systemClock),
    view: openMongoView(intake, systemClock, false),
    queue,
    maintenance,
    async close() {
      for (const db of opened) await db.close();
    },
  };
}

endAfter(DEADLINE_MS);
const { outbox, expiry, files, tracking, intake, view, queue, maintenance, close } = await (kind === 'sqlite' ? openSqlite() : openMongo());
const now = Date.now();

const operations: Readonly<Record<string, () => Promise<unknown>>> = {
  'Relay: lease of the outbox': () => outbox.lease(LIMIT),
  [`Tracking: lease of ${BATCH} that are due`]: () => tracking.lease(now + DAY_MS * 3, now, BATCH),
  'Tracking: lease, nothing is due': () => tracking.lease(LONG_AGO, now, BATCH),
  'Tracking: how many polls are late': () => tracking.overdue(now),
  'Tracking: retention': () => tracking.purge(LONG_AGO, LIMIT),
  'Webhooks: endpoints that have something due': () => queue.dueEndpoints({ after: '', now, limit: LIMIT }),
  'Webhooks: lease of the queue': () => queue.lease([{ endpointId, count: BATCH }], now, now + 1),
  'Webhooks: backlog of an endpoint': () => queue.backlogOf([endpointId], now, LIMIT),
  'Webhooks: retention of deliveries': () => maintenance.expireDeliveries(LONG_AGO, LIMIT),
  'Webhooks: retention of events': () => maintenance.expireEvents(LONG_AGO, LIMIT),
  'Webhooks: retention of numbers': () => maintenance.expireSequences(LONG_AGO, LIMIT),
  'Webhooks: deliveries of disabled endpoints': () => maintenance.holdDisabled(LIMIT),
  'Webhooks: deliveries of deleted endpoints': () => maintenance.purgeDeleted(LIMIT),
  'Forecasts: retention, next tenant': () => expiry.nextTenant(''),
  'Forecasts: retention, nothing is over': () => expiry.ended(tenantId, LONG_AGO, undefined, LIMIT),
  [`Forecasts: retention, ${LIMIT} are over`]: () => expiry.ended(tenantId, now, undefined, LIMIT),
  'Files: retention': () => files.retireUnused(LONG_AGO, LIMIT),
  'Warehouse: retention of reports': () => intake.purge(LONG_AGO, LIMIT),
  'Warehouse: retention of the view': () => view.purge(LONG_AGO, LIMIT),
  'Warehouse: events that were left half-way': () => intake.resume(LONG_AGO, LIMIT),
};

/** CPU time of the server of the database so far, microseconds: of all its threads, which it keeps. */
function serverMicroseconds(): number {
  if (serverPid === undefined) return 0;
  const stat = readFileSync(`/proc/${serverPid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

function ownMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

const costs: QueueCost[] = [];
for (const [name, run] of Object.entries(operations)) {
  for (let index = 0; index < WARM_UP; index += 1) await run();
  const times: number[] = [];
  const before = { own: ownMicroseconds(), server: serverMicroseconds(), at: performance.now() };
  for (let index = 0; index < repeats; index += 1) {
    const begun = performance.now();
    await run();
    times.push(performance.now() - begun);
  }
  const seconds = (performance.now() - before.at) / 1000;
  costs.push({ name, own: (ownMicroseconds() - before.own) / repeats, server: serverMicroseconds() - before.server, seconds, times });
}
await close();
process.stdout.write(JSON.stringify(costs));
