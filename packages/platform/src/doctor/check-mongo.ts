import type { MongoInspector } from '@parcelway/mongo/mongo-inspection';
import type { Environ } from '../config.ts';
import { readInstallation, readMongo } from '../distributed-config.ts';
import type { ServiceStore } from '../service-store.ts';
import { describeMs, listSome } from './amounts.ts';
import { type Check, reasonOf, type Tell, Verdict } from './check.ts';
import { tellOfClock } from './clock-findings.ts';
import { readFor } from './configuration.ts';
import { tellOfOutbox } from './outbox-findings.ts';

const SLOW_WRITE_MS = 500;

const troubles = {
  away: ['does not respond', 'See that it runs and that MONGODB_URL names hosts and ports that can be reached from here.'],
  credentials: [
    'refuses the user or the password in MONGODB_URL',
    'Put the right ones into MONGODB_URL (characters such as @ or / written as %40, %2F), and authSource when the user is not of the database admin.',
  ],
  address: ['cannot be asked: MONGODB_URL is no connection string', 'Write it as mongodb://user:password@host:27017/?replicaSet=rs0.'],
  other: ['responds with an error', 'Mend what it says.'],
} as const;

async function connect(url: string): Promise<MongoInspector> {
  const { MongoInspector, mongoTroubleOf } = await import('@parcelway/mongo/mongo-inspection');
  try {
    return await MongoInspector.connect(url);
  } catch (error) {
    const [message, next] = troubles[mongoTroubleOf(error)];
    throw new Verdict('mongodb', `${message}: ${reasonOf(error)}`, next);
  }
}

/** @returns how far the server's clock is ahead, milliseconds */
async function checkServer(tell: Tell, inspector: MongoInspector): Promise<number> {
  let server: Awaited<ReturnType<MongoInspector['server']>>;
  try {
    server = await inspector.server();
  } catch (error) {
    const { mongoTroubleOf } = await import('@parcelway/mongo/mongo-inspection');
    const [message, next] = troubles[mongoTroubleOf(error)];
    throw new Verdict('mongodb', `${message}: ${reasonOf(error)}`, next);
  }
  tell.ok('mongodb', `reachable, version ${server.version}`);
  tellOfClock(tell, 'mongodb clock', server.clockAheadMs);
  if (server.replicaSet === null)
    throw new Verdict(
      'mongodb replica set',
      'the server belongs to no replica set',
      'Start mongod with --replSet and run rs.initiate(); one member is enough to begin with.',
    );
  if (server.primary === null)
    throw new Verdict(
      'mongodb replica set',
      `replica set ${server.replicaSet} has no primary: nothing can be written`,
      'See with rs.status() which members are away; a majority of them must be up.',
    );
  tell.ok('mongodb replica set', `${server.replicaSet} with ${server.members} member(s), primary ${server.primary}`);
  return server.clockAheadMs;
}

async function checkWrite(tell: Tell, inspector: MongoInspector, database: string): Promise<void> {
  const check = 'mongodb write';
  try {
    const ms = await inspector.writeToMajority(database);
    if (ms < SLOW_WRITE_MS) tell.ok(check, `the majority has a write after ${describeMs(ms)}`);
    else
      tell.warning(
        check,
        `the majority has a write only after ${describeMs(ms)}`,
        'Look at the disks of the members and at how far they lag (rs.printSecondaryReplicationInfo()).',
      );
  } catch (error) {
    tell.wrong(
      check,
      `a write is not acknowledged by the majority: ${reasonOf(error)}`,
      'Give the user readWrite on the databases of the services; otherwise see with rs.status() that most members are up and not far behind.',
    );
  }
}

async function checkDatabase(tell: Tell, inspector: MongoInspector, prefix: string, store: ServiceStore, aheadMs: number): Promise<void> {
  const check = `database ${store.name}`;
  const database = `${prefix}-${store.name}`;
  try {
    const collections = await store.collections();
    const missing = await inspector.missing(database, collections);
    if (missing.length === 0) tell.ok(check, `${database} is migrated`);
    else
      tell.wrong(
        check,
        `${database} lacks ${listSome(missing)}`,
        'Run the migrate step (npm run migrate, or node services/all-in-one/dist/migrate-main.js). When databases are called otherwise, check RESOURCE_PREFIX.',
      );
    if (missing.some((name) => !name.includes('.') || name.endsWith('.outbox_due'))) return;
    const { documents, oldestAt } = await inspector.outbox(database, collections);
    tellOfOutbox(tell, store.name, { count: documents, what: 'record with messages', oldestAt }, Date.now() + aheadMs);
  } catch (error) {
    tell.wrong(check, `${database} cannot be read: ${reasonOf(error)}`, 'Give the user of MONGODB_URL readWrite on it.');
  }
}

/** MongoDB: reachable, a writable replica set, every database migrated, outboxes. @param stores none when they are not known here */
export function checkMongo(env: Environ, stores: readonly ServiceStore[] | undefined): Check {
  return {
    name: 'mongodb',
    deadlineMs: 20_000,
    async run(tell) {
      const config = readFor(env, readMongo, tell, { check: 'mongodb', names: ['MONGODB_URL'], whose: 'every service' });
      const installation = readFor(env, readInstallation, tell, { check: 'mongodb', names: ['ENVIRONMENT'], whose: 'every service' });
      if (config === undefined || installation === undefined) return;
      const inspector = await connect(config.url);
      try {
        const aheadMs = await checkServer(tell, inspector);
        await checkWrite(tell, inspector, `${installation.resourcePrefix}-gateway`);
        if (stores === undefined) {
          tell.warning('databases', 'not looked at: this parcelctl knows no services', 'Run the parcelctl that comes with the services.');
          return;
        }
        for (const store of stores) await checkDatabase(tell, inspector, installation.resourcePrefix, store, aheadMs);
      } finally {
        await inspector.close();
      }
    },
  };
}
