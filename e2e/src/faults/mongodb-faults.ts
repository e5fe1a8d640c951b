import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, FaultStage, Findings } from './fault.ts';
import { PROXIED } from './fault-servers.ts';
import { failCommands, stepDown } from './mongo-commands.ts';
import { type Breakage, probeThrough } from './probe-through.ts';

const group = 'MongoDB';
const expected =
  'submissions respond with 200, or 50301 with Retry-After, within 8 s; sent again they get the number of the first response; nothing acknowledged is lost';

/** Breaks the store under submissions, and says what merchants saw. */
async function withoutStore(stage: FaultStage, breakage: Breakage): Promise<Findings> {
  const { before, codes, slowest, violations } = await probeThrough(stage, breakage);
  const observed = `before: p99 ${before.p99.toFixed(0)} ms; during: ${codes}; slowest response ${(slowest / 1000).toFixed(1)} s; all sent again, no number changed`;
  return { observed, violations };
}

/** The commands by which the platform writes. */
const WRITES = ['insert', 'update', 'findAndModify', 'delete'];
/** WriteConcernFailed: the write is there, and whether it stays is not known. */
const WRITE_CONCERN_FAILED = 64;

const single = { group, expected, servers: 'single' } as const;
const proxied = { ...single, proxied: PROXIED };
const cluster = { group, expected, servers: 'cluster', env: { KAFKA_REPLICATION: '3', KAFKA_MIN_IN_SYNC: '2' } } as const;

/** What happens to the store. */
export const mongodbFaults: readonly Fault[] = [
  {
    ...single,
    name: 'stopped for 10 s',
    strike: (stage) =>
      withoutStore(stage, {
        forMs: 10_000,
        async strike() {
          await stage.servers.act('stop', 'mongo-1');
          return () => stage.servers.act('start', 'mongo-1');
        },
      }),
  },
  {
    ...single,
    name: 'killed and started again',
    strike: (stage) =>
      withoutStore(stage, {
        forMs: 2000,
        async strike() {
          await stage.servers.act('kill', 'mongo-1');
          await stage.servers.act('start', 'mongo-1');
          return async () => undefined;
        },
      }),
  },
  {
    ...single,
    name: 'silent for 8 s (SIGSTOP)',
    strike: (stage) =>
      withoutStore(stage, {
        forMs: 8000,
        async strike() {
          await stage.servers.act('pause', 'mongo-1');
          return () => stage.servers.act('resume', 'mongo-1');
        },
      }),
  },
  {
    ...proxied,
    name: 'responds 150 ms late for 10 s',
    strike: (stage) =>
      withoutStore(stage, {
        forMs: 10_000,
        strike: () => stage.servers.disturb('mongo', { type: 'latency', attributes: { latency: 150 } }),
      }),
  },
  {
    ...proxied,
    name: 'responses lost: connections cut after the write, five times for 1 s',
    strike: (stage) =>
      withoutStore(stage, {
        forMs: 0,
        async strike() {
          for (let time = 0; time < 5; time += 1) {
            const heal = await stage.servers.disturb('mongo', { type: 'timeout', attributes: { timeout: 100 } });
            await pause(1000);
            await heal();
            await pause(1500);
          }
          return async () => undefined;
        },
      }),
  },
  {
    ...single,
    name: 'three in ten writes done and reported as failed for 10 s',
    strike: (stage) =>
      withoutStore(stage, {
        forMs: 10_000,
        strike: () =>
          failCommands(stage.platform.servers['MONGODB_URL'] as string, 0.3, {
            failCommands: WRITES,
            writeConcernError: { code: WRITE_CONCERN_FAILED, codeName: 'WriteConcernFailed', errmsg: 'waiting for replication timed out' },
          }),
      }),
  },
  {
    ...single,
    name: 'connections closed on three in ten commands for 10 s',
    strike: (stage) =>
      withoutStore(stage, {
        forMs: 10_000,
        strike: () =>
          failCommands(stage.platform.servers['MONGODB_URL'] as string, 0.3, {
            failCommands: ['find', 'aggregate', ...WRITES],
            closeConnection: true,
          }),
      }),
  },
  {
    ...cluster,
    name: 'the primary steps down',
    strike: (stage) =>
      withoutStore(stage, {
        forMs: 15_000,
        async strike() {
          await stepDown(stage.platform.servers['MONGODB_URL'] as string, 8);
          return async () => undefined;
        },
      }),
  },
  {
    ...cluster,
    name: 'the primary of three killed for 15 s',
    strike: (stage) =>
      withoutStore(stage, {
        forMs: 15_000,
        async strike() {
          await stage.servers.act('kill', 'mongo-1');
          return () => stage.servers.act('start', 'mongo-1');
        },
      }),
  },
];
