import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { topics } from '@parcelway/contracts/topics';
import { fromRoot, type Installation, newInstallation } from '@parcelway/harness/installation';
import type { KafkaOutsider } from '@parcelway/harness/kafka-outsider';
import { systemClock } from '@parcelway/kernel/clock';
import { freePort } from '@parcelway/kernel/free-port';
import { silentLogger } from '@parcelway/kernel/logger';
import { OutboxRelay } from '@parcelway/platform/outbox-relay';
import { relayTiming } from '@parcelway/platform/relay-timing';
import { type Child, runProgram, startProgram } from '../../child.ts';
import { openLog } from '../../receiving-stage.ts';
import type { BenchServers } from '../../servers.ts';
import { startQueueProcess } from './queue-process.ts';
import { registerEndpoints, type Side, type SideKind, weighedMessage } from './side.ts';

/** Where nobody listens. */
const NOBODY = 'http://127.0.0.1:9';
/** Produces to a topic by the platform's own relay, whose outbox is in memory. */
function startProducer(log: KafkaOutsider) {
  const waiting: { readonly message: EncodedMessage; readonly resolve: () => void }[] = [];
  const relay = new OutboxRelay({
    source: {
      lease: async (limit) => waiting.slice(0, limit).map(({ message }) => ({ ...message, id: '' })),
      remove: async (ids) => waiting.splice(0, ids.length).forEach(({ resolve }) => void resolve()),
      depth: async () => ({ count: waiting.length, oldestAt: null }),
    },
    publish: (messages) => log.produce(topics.forecast, ...messages.map(({ key, value }) => ({ key, value }))),
    logger: silentLogger,
    clock: systemClock,
    ...relayTiming,
  });
  relay.start();
  return {
    /** Resolves once the message is acknowledged. */
    produce(message: EncodedMessage): Promise<void> {
      const acknowledged = new Promise<void>((resolve) => void waiting.push({ message, resolve }));
      relay.notify();
      return acknowledged;
    },
    stop: () => relay.stop(),
  };
}

/** A new installation on the servers, with the address of its only service. */
interface Setting {
  readonly installation: Installation;
  readonly directory: string;
  readonly origin: string;
  readonly secret: string;
  readonly env: Readonly<Record<string, string>>;
}

async function newSetting(): Promise<Setting> {
  const installation = newInstallation();
  const [directory, port, secret] = [
    mkdtempSync(join(tmpdir(), 'parcelway-bench-')),
    await freePort(),
    randomBytes(32).toString('base64url'),
  ];
  const env = {
    ...installation.env,
    INTERNAL_SECRET: secret,
    FILE_SECRET: randomBytes(32).toString('base64url'),
    DATA_DIR: directory,
    SERVICE_HOST: '127.0.0.1',
    SERVICE_PORT: String(port),
    // Required, but called only for full payloads, which no endpoint here has.
    FORECAST_URL: NOBODY,
    TRACKING_URL: NOBODY,
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  return { installation, directory, origin: `http://127.0.0.1:${port}`, secret, env };
}

async function clearAway({ installation, directory }: Setting): Promise<void> {
  await installation.remove();
  rmSync(directory, { recursive: true, force: true });
}

const startService = ({ env }: Setting): Promise<Child> =>
  startProgram([process.execPath, fromRoot('dist/webhook.js')], {
    name: 'the webhook service',
    env,
    isReady: (output) => output.includes('is ready'),
  });

/** Parcelway's webhook service as a process of its own, on MongoDB and Kafka; events are produced straight to its topic. */
async function openSide(setting: Setting, servers: BenchServers): Promise<Side> {
  const service = await startQueueProcess(() => startService(setting));
  const log = await openLog(setting.env);
  const producer = startProducer(log);
  return {
    name: 'Parcelway, distributed',
    register: (endpoints) => registerEndpoints(setting.origin, setting.secret, endpoints),
    publish: (event) => producer.produce(weighedMessage(event)),
    usage: async () => ({ service: service.usedMicroseconds(), ...(await servers.used()) }),
    killAndRestart: service.killAndRestart,
    async close() {
      await service.current().end('SIGTERM');
      await producer.stop();
      await log.close();
      await clearAway(setting);
    },
  };
}

/** Sides on the servers of the benchmark. @throws Error when their CPU time is unknown */
export async function distributedKind(servers: BenchServers): Promise<SideKind> {
  if (Object.keys(await servers.used()).length === 0)
    throw new Error('Cannot measure the CPU time of these servers. Unset MONGODB_URL so that the run starts its own.');
  return async () => {
    const setting = await newSetting();
    try {
      const variables = Object.entries(setting.env).map(([name, value]) => `${name}=${value}`);
      const migrate = [process.execPath, fromRoot('dist/migrate.js')];
      await runProgram('env', [...variables, 'timeout', '60', ...migrate]);
      return await openSide(setting, servers);
    } catch (error) {
      await clearAway(setting);
      throw error;
    }
  };
}
