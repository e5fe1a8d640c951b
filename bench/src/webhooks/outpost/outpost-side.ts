import { randomBytes } from 'node:crypto';
import { freePort } from '@parcelway/kernel/free-port';
import { until } from '@parcelway/kernel/testing/until';
import { type Child, runProgram, startProgram, takesConnections } from '../../child.ts';
import { CpuMeter, processTree } from '../../process-usage.ts';
import { RawClient } from '../../raw-client.ts';
import { type BenchEvent, type EndpointPlan, type Side, type SideKind, type Usage, withEach } from '../sides/side.ts';
import type { PeerPrograms } from './peer-programs.ts';
import { openPeerServers, type PeerServers } from './peer-servers.ts';

const HEALTHY_WITHIN_MS = 60_000;
const CONCURRENCY = '200';
/** The one topic that Outpost is configured with. */
const TOPIC = 'parcel.weighed';
/** Enough that a publisher never waits for another's response at the rates measured. */
const PUBLISHING_CONNECTIONS = 64;
const PUBLISHED_WITHIN_MS = 10_000;

/** Its settings: everything at its default but concurrency, telemetry, and what brings both sides to the same work. */
function settingsOf(servers: PeerServers, port: number, apiKey: string): Readonly<Record<string, string>> {
  return {
    API_PORT: `${port}`,
    API_KEY: apiKey,
    API_JWT_SECRET: randomBytes(32).toString('hex'),
    AES_ENCRYPTION_SECRET: randomBytes(16).toString('hex'),
    TOPICS: TOPIC,
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
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #publishing: RawClient;
  readonly #start: () => Promise<Child>;
  #process: Child;

  constructor(name: string, servers: PeerServers, origin: string, apiKey: string, start: () => Promise<Child>, running: Child) {
    this.name = name;
    this.#servers = servers;
    this.#origin = origin;
    this.#headers = { authorization: `Bearer ${apiKey}` };
    this.#publishing = new RawClient([origin], PUBLISHING_CONNECTIONS, { headers: this.#headers, withinMs: PUBLISHED_WITHIN_MS });
    this.#start = start;
    this.#process = running;
  }

  /** Makes each tenant and its one webhook destination. */
  register(endpoints: readonly EndpointPlan[]): Promise<void> {
    return withEach(this.#origin, this.#headers, endpoints, async (client, { tenantId, url }) => {
      const tenant = `/api/v1/tenants/${tenantId}`;
      await client.send('PUT', tenant, '{}', 'application/json');
      const destination = JSON.stringify({ type: 'webhook', topics: [TOPIC], config: { url } });
      await client.send('POST', `${tenant}/destinations`, destination, 'application/json');
    });
  }

  /** Publishes an event with the same data as Parcelway's; resolves once it is in its queue. */
  publish({ id, tenantId, forecastNo, poNumber }: BenchEvent): Promise<void> {
    const time = new Date().toISOString();
    const data = { event_id: id, environment: 'sandbox', forecast_no: forecastNo, po_number: poNumber, status: 3, weighed_at: time };
    const body = JSON.stringify({ id, tenant_id: tenantId, topic: TOPIC, eligible_for_retry: true, time, data });
    return this.#publishing.send('POST', '/api/v1/publish', body, 'application/json');
  }

  async usage(): Promise<Usage> {
    return { service: this.#meter.read(processTree(this.#process.pid)), servers: this.#servers.usedMicroseconds() };
  }

  async killAndRestart(): Promise<void> {
    this.#meter.read(processTree(this.#process.pid));
    await this.#process.kill();
    this.#process = await this.#start();
  }

  async close(): Promise<void> {
    await this.#publishing.close();
    await this.#process.stop();
    await this.#servers.close();
  }
}

/** Outpost as a peer. @param version as its report names it */
export function outpostKind(programs: PeerPrograms, version: string): SideKind {
  return {
    async open() {
      const servers = await openPeerServers(programs);
      try {
        const port = await freePort();
        const origin = `http://127.0.0.1:${port}`;
        const apiKey = randomBytes(16).toString('hex');
        const env = settingsOf(servers, port, apiKey);
        const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
        await runProgram('env', [...variables, 'timeout', '60', programs.outpost, 'migrate', 'apply', '--yes']);
        const isHealthy = async (): Promise<boolean> => (await fetch(`${origin}/api/v1/healthz`)).status === 200;
        const start = async (): Promise<Child> => {
          const options = { name: 'Outpost', env, isReady: () => takesConnections(port) };
          const started = await startProgram([programs.outpostServer], options);
          await until(isHealthy, { within: HEALTHY_WITHIN_MS, what: 'Outpost to be healthy' });
          return started;
        };
        return new OutpostSide(`Outpost ${version}`, servers, origin, apiKey, start, await start());
      } catch (error) {
        await servers.close();
        throw error;
      }
    },
    serverMicroseconds: async () => undefined,
    close: async () => undefined,
  };
}
