import type { MongoInspector, OutboxBacklog } from '@parcelway/mongo/mongo-inspection';
import { MARK_COLLECTION, RefusedDatabaseError } from '@parcelway/mongo/mongo-mark';
import type { StoredDocument } from '@parcelway/store/mongo/mongo-store-schema';
import type { Environ } from '../config.ts';
import { readInstallation, readMongo } from '../distributed-config.ts';
import { mongoCollections } from '../open-store.ts';
import type { ServiceStore } from '../service.ts';
import { count, describeMs, listSome } from './amounts.ts';
import { type Check, type Report, reasonOf, Verdict } from './check.ts';
import { checkDocuments, type SampleOf } from './check-documents.ts';
import { reportClock } from './clock-findings.ts';
import { readFor } from './configuration.ts';

const SLOW_WRITE_MS = 500;
/** A relay publishes within milliseconds; an older message waits for something. */
const SLOW_OUTBOX_MS = 30_000;
const STUCK_OUTBOX_MS = 5 * 60_000;

const troubles = {
  away: ['does not respond', 'Check that it runs and that the hosts and ports in MONGODB_URL can be reached from here.'],
  credentials: [
    'refuses the user or the password in MONGODB_URL',
    'Correct them in MONGODB_URL (write characters such as @ or / as %40, %2F), and add authSource if the user does not belong to the database admin.',
  ],
  address: ['cannot connect: MONGODB_URL is not a connection string', 'Write it as mongodb://user:password@host:27017/?replicaSet=rs0.'],
  other: ['responds with an error', 'Fix what the message names.'],
} as const;

const loadInspection = () => import('@parcelway/mongo/mongo-inspection');

async function connect(url: string): Promise<MongoInspector> {
  const { MongoInspector, mongoTroubleOf } = await loadInspection();
  try {
    return await MongoInspector.connect(url);
  } catch (error) {
    const [message, next] = troubles[mongoTroubleOf(error)];
    throw new Verdict('mongodb', `${message}: ${reasonOf(error)}`, next);
  }
}

type Server = Awaited<ReturnType<MongoInspector['server']>>;

async function checkServer(report: Report, inspector: MongoInspector): Promise<Server> {
  let server: Server;
  try {
    server = await inspector.server();
  } catch (error) {
    const { mongoTroubleOf } = await loadInspection();
    const [message, next] = troubles[mongoTroubleOf(error)];
    throw new Verdict('mongodb', `${message}: ${reasonOf(error)}`, next);
  }
  report.ok('mongodb', `reachable, version ${server.version}`);
  reportClock(report, 'mongodb clock', server.clockAheadMs);
  if (server.isRouter) {
    report.ok('mongodb cluster', 'a router of a sharded cluster');
    return server;
  }
  if (server.replicaSet === null)
    throw new Verdict(
      'mongodb replica set',
      'the server belongs to no replica set',
      'Start mongod with --replSet and run rs.initiate(). One member is enough to start.',
    );
  if (server.primary === null)
    throw new Verdict(
      'mongodb replica set',
      `replica set ${server.replicaSet} has no primary: nothing can be written`,
      'Run rs.status() to find the members that are down. A majority must be up.',
    );
  report.ok('mongodb replica set', `${server.replicaSet} with ${count(server.members, 'member')}, primary ${server.primary}`);
  return server;
}

async function checkWrite(report: Report, inspector: MongoInspector, database: string): Promise<void> {
  const check = 'mongodb write';
  try {
    const ms = await inspector.writeToMajority(database);
    if (ms < SLOW_WRITE_MS) report.ok(check, `the majority acknowledges a write after ${describeMs(ms)}`);
    else
      report.warning(
        check,
        `the majority acknowledges a write only after ${describeMs(ms)}`,
        'Check the disks of the members and their replication lag (rs.printSecondaryReplicationInfo()).',
      );
  } catch (error) {
    report.wrong(
      check,
      `a write is not acknowledged by the majority: ${reasonOf(error)}`,
      'Give the user readWrite on the databases of the services. If it has that, check with rs.status() that most members are up and not far behind.',
    );
  }
}

async function reportUnsharded(
  report: Report,
  inspector: MongoInspector,
  database: string,
  collections: Awaited<ReturnType<typeof mongoCollections>>,
): Promise<void> {
  const unsharded = await inspector.unsharded(database, collections);
  if (unsharded.length === 0) return;
  report.warning(
    `shards of ${database}`,
    `on one shard: ${listSome(unsharded)}`,
    'Run the migrate step with --sharded, unless one shard is what you want.',
  );
}

/** Reports the outbox of a service; `now` by the clock that wrote it. */
export function reportOutbox(report: Report, service: string, { documents, oldestAt }: OutboxBacklog, now: number): void {
  const check = `outbox ${service}`;
  if (documents === 0 || oldestAt === null) {
    report.ok(check, 'empty');
    return;
  }
  const ageMs = Math.max(0, now - oldestAt);
  const message = `${count(documents, 'record')} with messages waiting, the oldest for ${describeMs(ageMs)}`;
  if (ageMs < SLOW_OUTBOX_MS) report.ok(check, message);
  else if (ageMs < STUCK_OUTBOX_MS)
    report.warning(check, message, `Check again in a minute. If it grows, read the log of ${service} about the outbox.`);
  else
    report.wrong(
      check,
      message,
      `Nothing publishes these messages. Check that ${service} runs and reaches the message log, and read its log about the outbox. No message is lost; all are published once that works.`,
    );
}

async function checkDatabase(
  report: Report,
  inspector: MongoInspector,
  { resourcePrefix, environment }: ReturnType<typeof readInstallation>,
  store: ServiceStore,
  { clockAheadMs, isRouter }: Server,
): Promise<void> {
  const check = `database ${store.name}`;
  const database = `${resourcePrefix}-${store.name}`;
  try {
    const collections = await mongoCollections(store.collections);
    const isMarked = await inspector.isMarked(database, environment);
    const missing = [...(isMarked ? [] : [MARK_COLLECTION]), ...(await inspector.missing(database, collections))];
    if (missing.length === 0) report.ok(check, `${database} is migrated`);
    else
      report.wrong(
        check,
        `${database} lacks ${listSome(missing)}`,
        'Run the migrate step (npm run migrate, or node dist/migrate.js), which names a database that has lost its data. ' +
          'If your databases have other names, check RESOURCE_PREFIX.',
      );
    if (isRouter && missing.length === 0) await reportUnsharded(report, inspector, database, collections);
    if (missing.some((name) => !name.includes('.') || name.endsWith('.outbox_due'))) return;
    reportOutbox(report, store.name, await inspector.outbox(database, collections), Date.now() + clockAheadMs);
  } catch (error) {
    const next = error instanceof RefusedDatabaseError ? 'Correct ENVIRONMENT.' : 'Give the user in MONGODB_URL readWrite on it.';
    report.wrong(check, `${database} cannot be read: ${reasonOf(error)}`, next);
  }
}

async function samplesIn(inspector: MongoInspector, { resourcePrefix }: ReturnType<typeof readInstallation>): Promise<SampleOf> {
  const { stored } = await import('@parcelway/store/mongo/mongo-statements');
  return async function* samples(service, collection, options) {
    for await (const document of inspector.documents(`${resourcePrefix}-${service}`, collection.name, options))
      yield { key: document._id, read: () => stored(collection, document as StoredDocument).value };
  };
}

/** Checks MongoDB: reachable, a writable replica set or a router, every database migrated, outboxes, documents. @param stores undefined when they are not known here */
export function checkMongo(env: Environ, stores: readonly ServiceStore[] | undefined): Check {
  return {
    name: 'mongodb',
    deadlineMs: 30_000,
    load: loadInspection,
    async run(report) {
      const config = readFor(env, readMongo, report, { check: 'mongodb', names: ['MONGODB_URL'], whose: 'every service' });
      const installation = readFor(env, readInstallation, report, { check: 'mongodb', names: ['ENVIRONMENT'], whose: 'every service' });
      if (config === undefined || installation === undefined) return;
      const inspector = await connect(config.url);
      try {
        const server = await checkServer(report, inspector);
        await checkWrite(report, inspector, `${installation.resourcePrefix}-gateway`);
        if (stores === undefined) {
          report.warning(
            'databases',
            'not checked: this parcelctl is installed without the services',
            'Run the parcelctl that comes with the services.',
          );
          return;
        }
        for (const store of stores) await checkDatabase(report, inspector, installation, store, server);
        await checkDocuments(report, stores, await samplesIn(inspector, installation));
      } finally {
        await inspector.close();
      }
    },
  };
}
