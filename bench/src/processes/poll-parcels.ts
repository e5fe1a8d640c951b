import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { createSqliteTrackingStore } from '@parcelway/service-tracking/adapters/sqlite-tracking-store';
import { createSqliteCallLedgers } from '@parcelway/service-tracking/connections/adapters/sqlite-call-ledgers';
import { createSqliteConnections } from '@parcelway/service-tracking/connections/adapters/sqlite-connections';
import { createFindConnections } from '@parcelway/service-tracking/connections/find-connections';
import { DEFAULT_SCHEDULE, parseSchedule } from '@parcelway/service-tracking/domain/schedule';
import { createPoller } from '@parcelway/service-tracking/poll-shipments';
import { createRecordFacts, type RecordFacts } from '@parcelway/service-tracking/record-facts';
import { createRefreshShipment } from '@parcelway/service-tracking/refresh-shipment';
import { openSources } from '@parcelway/service-tracking/sources/ask-sources';
import { openCarriers } from '@parcelway/service-tracking/sources/carriers';
import { trackingSources } from '@parcelway/service-tracking/sources/source-list';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { openTelemetry } from '@parcelway/telemetry/telemetry';
import { endAfter } from '../child-server.ts';
import { CONNECTION_ID } from '../tracking/numbers.ts';

/*
 * The polls of a tracking service, put together as its service.ts does, with 17TRACK whose limit of calls is lifted: what is measured is the machinery. All
 * shipments of the file are due. They are polled twice: the first time the vendor has news of each, the second time of none. Arguments: file of the service;
 * address and key of the vendor; how many shipments there are. The events of the news stay in the outbox. Prints tracking/polling.ts Polls.
 */

const [file = '', baseUrl = '', key = '', count = '0'] = process.argv.slice(2);
const DEADLINE_MS = 300_000;
const TIMEOUT_MS = 5_000;

endAfter(DEADLINE_MS);
const clock = systemClock;
const logger = silentLogger;
const db = new SqliteDatabase(file);
const store = createSqliteTrackingStore(db, new SqliteOutbox(db));
const opened = await openTelemetry({ version: 'bench', logger });
const telemetry = opened.of('tracking');

const vendor = trackingSources.get('17track');
if (vendor === undefined) throw new Error('There is no source 17track');
const unlimited = { ...vendor, limits: { ...vendor.limits, requestsPerSecond: null } };
const account = { source: '17track', baseUrl, carriers: ['*'], limits: null, credentials: { key } };
const connection = { connectionId: CONNECTION_ID, tenantId: null, ...account };
const sealer = createTextSealer(['a secret of the benchmark that seals nothing']);
const connections = createFindConnections({ configured: [connection], store: createSqliteConnections(db), sealer, clock, logger });
const simulated = { track: () => Promise.reject(new Error('No parcel of the benchmark is simulated')) };
const carriers = openCarriers({ environment: 'production', endpoints: new Map(), simulated, timeoutMs: TIMEOUT_MS, logger, telemetry });
const ledgers = createSqliteCallLedgers(db);
const sources = openSources({
  connections,
  sources: new Map([[unlimited.name, unlimited]]),
  carriers,
  shipments: store,
  detailsOf: () => ({}),
  ledgers,
  timeoutMs: TIMEOUT_MS,
  clock,
  logger,
  telemetry,
});

/** What was recorded in this round. */
const seen = { responses: 0, rescheduled: 0, changes: 0 };
let roundIsOver: () => void = () => undefined;

const recordFacts = createRecordFacts({ parcels: store, environment: 'production', notify: () => undefined });
const record: RecordFacts = async (facts) => {
  const outcomes = await recordFacts(facts);
  for (const [index, { type }] of facts.entries()) {
    if (type === 'response') seen.responses += 1;
    if (type === 'rescheduled') seen.rescheduled += 1;
    if (outcomes[index]?.change !== undefined) seen.changes += 1;
  }
  if (seen.responses >= Number(count) && seen.rescheduled >= seen.responses) roundIsOver();
  return outcomes;
};
const refresh = createRefreshShipment({ sources, record, clock });
const schedule = parseSchedule(DEFAULT_SCHEDULE);
const poller = createPoller({
  queue: store,
  record,
  refresh,
  release: sources.release,
  schedule,
  clock,
  logger,
  telemetry,
  random: Math.random,
});

/** Makes all shipments due, as long after their last poll as a source asks for. */
async function makeDue(): Promise<void> {
  await db.transaction(() => db.run('UPDATE shipments SET next_poll_at = ?, asked_at = 0', clock.now()));
}

/** Polls all shipments once. @param changes so many of them have news, or the round measured something else */
async function round(changes: number): Promise<{ readonly perSecond: number; readonly perCpuSecond: number }> {
  Object.assign(seen, { responses: 0, rescheduled: 0, changes: 0 });
  const over = new Promise<void>((resolve) => {
    roundIsOver = resolve;
  });
  const before = process.cpuUsage();
  const begun = performance.now();
  poller.start();
  await over;
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(before);
  await poller.stop();
  if (seen.changes !== changes) throw new Error(`${seen.changes} shipments have changed instead of ${changes}`);
  return { perSecond: Number(count) / seconds, perCpuSecond: (Number(count) * 1e6) / (user + system) };
}

const news = await round(Number(count));
await makeDue();
const noNews = await round(0);
await Promise.all([sources.close(), carriers.close(), opened.close()]);
db.close();
process.stdout.write(JSON.stringify({ news, noNews, megabytes: process.resourceUsage().maxRSS / 1024 }));
