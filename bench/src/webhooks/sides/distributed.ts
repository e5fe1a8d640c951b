import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { topics } from '@parcelway/contracts/topics';
import { freePort } from '@parcelway/kernel/free-port';
import { runProgram } from '../../child-server.ts';
import { BenchServers } from '../../servers.ts';
import type { StartedProgram } from '../../started-program.ts';
import { KafkaLog } from '../../suites/kafka-log.ts';
import { weighedMessage } from '../events.ts';
import { BatchedLog } from './batched-log.ts';
import { registerEndpoints } from './register.ts';
import { ServerMeter } from './server-meter.ts';
import { startServiceProcess } from './service-process.ts';
import type { BenchEvent, EndpointPlan, Side, SideKind } from './side.ts';
import { CpuMeter, type Usage } from './usage.ts';

const fromRoot = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

/** Where nobody listens. */
const NOBODY = 'http://127.0.0.1:9';

/** An installation of its own on the servers: names, secrets and where its one service listens. */
interface Setting {
  readonly env: Readonly<Record<string, string>>;
  readonly origin: string;
  readonly secret: string;
  readonly directory: string;
}

/** Parcelway's webhook service as a process of its own, on MongoDB and Kafka; events are produced straight to its topic. */
class DistributedSide implements Side {
  readonly name = 'Parcelway, distributed';
  readonly #meter = new CpuMeter();
  readonly #setting: Setting;
  readonly #servers = new ServerMeter();
  readonly #log: KafkaLog;
  readonly #producer: BatchedLog;
  #service: StartedProgram;

  constructor(setting: Setting, log: KafkaLog, service: StartedProgram) {
    this.#setting = setting;
    this.#log = log;
    this.#producer = new BatchedLog(log, topics.forecast);
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
    const servers = await this.#servers.read();
    const service = this.#meter.read([this.#service.pid]);
    return { cpuMicroseconds: { service, ...servers } };
  }

  async killAndRestart(): Promise<void> {
    this.#meter.read([this.#service.pid]);
    await this.#service.kill();
    this.#service = await startServiceProcess(this.#setting.env);
  }

  async close(): Promise<void> {
    await this.#service.stop();
    await this.#log.close();
    await clearAway(this.#setting);
  }
}

async function newSetting(): Promise<Setting> {
  const name = `bench-${randomBytes(5).toString('hex')}`;
  const port = await freePort();
  const directory = mkdtempSync(join(tmpdir(), 'parcelway-bench-'));
  const secret = randomBytes(32).toString('base64url');
  const servers = ['MONGODB_URL', 'KAFKA_BROKERS', 'REDIS_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_REGION'];
  const env = {
    ...Object.fromEntries(servers.map((variable) => [variable, process.env[variable] ?? ''])),
    RESOURCE_PREFIX: name,
    KAFKA_PREFIX: `${name}.`,
    INTERNAL_SECRET: secret,
    FILE_SECRET: randomBytes(32).toString('base64url'),
    DATA_DIR: directory,
    SERVICE_HOST: '127.0.0.1',
    SERVICE_PORT: String(port),
    // Must be set; asked for full payloads only, which no endpoint here wants.
    FORECAST_URL: NOBODY,
    TRACKING_URL: NOBODY,
    LOG_LEVEL: 'error',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  };
  return { env, origin: `http://127.0.0.1:${port}`, secret, directory };
}

/** Runs a script of the product or the repository with the variables of an installation. */
function runWith({ env }: Setting, script: string): Promise<string> {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return runProgram('env', [...variables, 'timeout', '60', process.execPath, fromRoot(script)]);
}

async function clearAway(setting: Setting): Promise<void> {
  await runWith(setting, 'tools/servers/dist/remove-installation.js');
  rmSync(setting.directory, { recursive: true, force: true });
}

/** Sides on servers of the benchmark's own, which are started once. */
export async function openDistributedKind(progress: (text: string) => void): Promise<SideKind> {
  progress('starting servers');
  const servers = await BenchServers.open();
  // A run that is interrupted takes them down too.
  process.once('exit', () => servers.close());
  await servers.usedMicroseconds();
  return {
    idHeader: 'webhook-id',
    async open() {
      const setting = await newSetting();
      try {
        await runWith(setting, 'services/all-in-one/dist/migrate-main.js');
        const service = await startServiceProcess(setting.env);
        const log = await KafkaLog.open(setting.env['KAFKA_PREFIX'] ?? '');
        return new DistributedSide(setting, log, service);
      } catch (error) {
        await clearAway(setting);
        throw error;
      }
    },
    serverMicroseconds: () => servers.usedMicroseconds(),
    close: async () => servers.close(),
  };
}
