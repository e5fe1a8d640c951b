import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { topics } from '@parcelway/contracts/topics';
import { fromRoot, type Installation, newInstallation } from '@parcelway/harness/installation';
import type { KafkaOutsider } from '@parcelway/harness/kafka-outsider';
import { freePort } from '@parcelway/kernel/free-port';
import { relayTiming } from '@parcelway/platform/relay-timing';
import { type Child, runProgram, startProgram } from '../../child.ts';
import { CpuMeter } from '../../process-usage.ts';
import { openLog } from '../../receiving-stage.ts';
import { BenchServers } from '../../servers.ts';
import { pause } from '../../suite.ts';
import { type BenchEvent, type EndpointPlan, registerEndpoints, type Side, type SideKind, type Usage, weighedMessage } from './side.ts';

/** Where nobody listens. */
const NOBODY = 'http://127.0.0.1:9';
/** Messages that wait for the request before, at most. */
const MAX_WAITING = 20_000;
/** Messages of a request, at most: what a relay publishes in one go. A full request is followed by the next at once. */
const AT_ONCE = 500;

/** A message to produce. */
interface PlainMessage {
  readonly key: string;
  readonly value: string;
}

interface Waiting {
  readonly message: PlainMessage;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Produces to one topic as the platform's own relay of an outbox does it: one request at a time, and at least the time of {@link relayTiming} between
 * the starts of two. What comes meanwhile goes together with the next.
 */
class BatchedLog {
  readonly #log: KafkaOutsider;
  #waiting: Waiting[] = [];
  #busy = false;

  constructor(log: KafkaOutsider) {
    this.#log = log;
  }

  /** Resolves once the message is acknowledged. @throws Error when it was not, or too many wait */
  produce(message: PlainMessage): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING) return Promise.reject(new Error(`More than ${MAX_WAITING} messages wait for the log`));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message, resolve, reject });
      if (!this.#busy) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) {
      const begun = performance.now();
      const batch = this.#waiting.splice(0, AT_ONCE);
      const messages = batch.map(({ message }) => message);
      await this.#log.produce(topics.forecast, ...messages).then(
        () => {
          for (const { resolve } of batch) resolve();
        },
        (error: unknown) => {
          for (const { reject } of batch) reject(error);
        },
      );
      if (batch.length < AT_ONCE) await pause(Math.max(0, begun + relayTiming.gatherMs(batch.length) - performance.now()));
    }
    this.#busy = false;
  }
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
  startProgram([process.execPath, fromRoot('services/webhook/dist/main.js')], {
    name: 'the webhook service',
    env,
    isReady: (output) => output.includes('is ready'),
  });

/** Parcelway's webhook service as a process of its own, on MongoDB and Kafka; events are produced straight to its topic. */
class DistributedSide implements Side {
  readonly name = 'Parcelway, distributed';
  readonly #meter = new CpuMeter();
  readonly #setting: Setting;
  readonly #servers: BenchServers;
  readonly #log: KafkaOutsider;
  readonly #producer: BatchedLog;
  #service: Child;

  constructor(setting: Setting, servers: BenchServers, log: KafkaOutsider, service: Child) {
    this.#setting = setting;
    this.#servers = servers;
    this.#log = log;
    this.#producer = new BatchedLog(log);
    this.#service = service;
  }

  register(endpoints: readonly EndpointPlan[]): Promise<void> {
    return registerEndpoints(this.#setting.origin, this.#setting.secret, endpoints);
  }

  publish(event: BenchEvent): Promise<void> {
    const { key, value } = weighedMessage(event);
    return this.#producer.produce({ key, value });
  }

  async usage(): Promise<Usage> {
    return { service: this.#meter.read([this.#service.pid]), ...(await this.#servers.used()) };
  }

  async killAndRestart(): Promise<void> {
    this.#meter.read([this.#service.pid]);
    await this.#service.kill();
    this.#service = await startService(this.#setting);
  }

  async close(): Promise<void> {
    await this.#service.stop();
    await this.#log.close();
    await clearAway(this.#setting);
  }
}

/** Sides on servers of the benchmark's own, which are started once. */
export async function openDistributedKind(progress: (text: string) => void): Promise<SideKind> {
  process.env['PARCELWAY_MODE'] = 'distributed';
  progress('starting servers');
  const servers = await BenchServers.open();
  // A run that is interrupted takes them down too.
  process.once('exit', () => servers.close());
  if ((await servers.usedMicroseconds()) === undefined)
    throw new Error('Cannot measure the CPU time of these servers. Unset MONGODB_URL so that the run starts its own.');
  return {
    async open() {
      const setting = await newSetting();
      try {
        const variables = Object.entries(setting.env).map(([name, value]) => `${name}=${value}`);
        const migrate = [process.execPath, fromRoot('services/all-in-one/dist/migrate-main.js')];
        await runProgram('env', [...variables, 'timeout', '60', ...migrate]);
        const service = await startService(setting);
        return new DistributedSide(setting, servers, await openLog(setting.env), service);
      } catch (error) {
        await clearAway(setting);
        throw error;
      }
    },
    serverMicroseconds: () => servers.usedMicroseconds(),
    close: async () => servers.close(),
  };
}
