import { randomBytes } from 'node:crypto';
import { freePort } from '@parcelway/kernel/free-port';
import { until } from '@parcelway/kernel/testing/until';
import { runProgram } from '../../child-server.ts';
import { processTree } from '../../process-usage.ts';
import type { StartedProgram } from '../../started-program.ts';
import type { BenchEvent, EndpointPlan, Side, SideKind } from '../sides/side.ts';
import { CpuMeter, type Usage } from '../sides/usage.ts';
import { OUTPOST_TOPIC, OutpostApi } from './outpost-api.ts';
import { startPeerProcess } from './peer-process.ts';
import type { PeerPrograms } from './peer-programs.ts';
import { openPeerServers, type PeerServers } from './peer-servers.ts';

const HEALTHY_WITHIN_MS = 60_000;
const CONCURRENCY = '200';

/** Its settings: everything at its default but concurrency, telemetry, and what brings both sides to the same work. */
function settingsOf(servers: PeerServers, port: number, apiKey: string): Readonly<Record<string, string>> {
  return {
    API_PORT: `${port}`,
    API_KEY: apiKey,
    API_JWT_SECRET: randomBytes(32).toString('hex'),
    AES_ENCRYPTION_SECRET: randomBytes(16).toString('hex'),
    TOPICS: OUTPOST_TOPIC,
    REDIS_HOST: '127.0.0.1',
    REDIS_PORT: `${servers.redisPort}`,
    REDIS_PASSWORD: '',
    REDIS_DATABASE: '0',
    POSTGRES_URL: servers.postgresUrl,
    RABBITMQ_SERVER_URL: servers.rabbitmqUrl,
    PUBLISH_MAX_CONCURRENCY: CONCURRENCY,
    DELIVERY_MAX_CONCURRENCY: CONCURRENCY,
    LOG_MAX_CONCURRENCY: CONCURRENCY,
    // Both sides wait as long for an endpoint that hangs, and sign in the same way: Standard Webhooks.
    DELIVERY_TIMEOUT_SECONDS: '15',
    DESTINATIONS_WEBHOOK_MODE: 'standard',
    DISABLE_TELEMETRY: 'true',
    LOG_LEVEL: 'warn',
    GIN_MODE: 'release',
  };
}

/** Outpost, all its services in one process, with Redis, PostgreSQL and RabbitMQ. */
class OutpostSide implements Side {
  readonly name: string;
  readonly #meter = new CpuMeter();
  readonly #servers: PeerServers;
  readonly #api: OutpostApi;
  readonly #start: () => Promise<StartedProgram>;
  #process: StartedProgram;

  constructor(name: string, servers: PeerServers, api: OutpostApi, start: () => Promise<StartedProgram>, running: StartedProgram) {
    this.name = name;
    this.#servers = servers;
    this.#api = api;
    this.#start = start;
    this.#process = running;
  }

  register(endpoints: readonly EndpointPlan[]): Promise<void> {
    return this.#api.register(endpoints);
  }

  publish(event: BenchEvent): Promise<void> {
    return this.#api.publish(event);
  }

  async usage(): Promise<Usage> {
    const cpuMicroseconds = { service: this.#meter.read(processTree(this.#process.pid)), servers: this.#servers.usedMicroseconds() };
    return { cpuMicroseconds };
  }

  async killAndRestart(): Promise<void> {
    this.#meter.read(processTree(this.#process.pid));
    await this.#process.kill();
    this.#process = await this.#start();
  }

  async close(): Promise<void> {
    await this.#api.close();
    await this.#process.stop();
    await this.#servers.close();
  }
}

/** Outpost as a peer. @param version as its report names it */
export function outpostKind(programs: PeerPrograms, version: string): SideKind {
  return {
    idHeader: 'webhook-id',
    async open() {
      const servers = await openPeerServers(programs);
      try {
        const port = await freePort();
        const apiKey = randomBytes(16).toString('hex');
        const settings = settingsOf(servers, port, apiKey);
        const variables = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
        await runProgram('env', [...variables, 'timeout', '60', programs.outpost, 'migrate', 'apply', '--yes']);
        const api = new OutpostApi(`http://127.0.0.1:${port}`, apiKey);
        const start = async (): Promise<StartedProgram> => {
          const started = await startPeerProcess([programs.outpostServer], settings, port, 'own');
          await until(() => api.isHealthy(), { within: HEALTHY_WITHIN_MS, what: 'Outpost to be healthy' });
          return started;
        };
        return new OutpostSide(`Outpost ${version}`, servers, api, start, await start());
      } catch (error) {
        await servers.close();
        throw error;
      }
    },
    serverMicroseconds: async () => undefined,
    close: async () => undefined,
  };
}
