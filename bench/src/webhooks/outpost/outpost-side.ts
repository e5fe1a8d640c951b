import { randomBytes } from 'node:crypto';
import { freePort } from '@parcelway/kernel/free-port';
import { until } from '@parcelway/kernel/testing/until';
import { type Child, runProgram, startProgram, takesConnections } from '../../child.ts';
import { processTree } from '../../process-usage.ts';
import { RawClient } from '../../raw-client.ts';
import { startQueueProcess } from '../sides/queue-process.ts';
import { type Side, type SideKind, withEach } from '../sides/side.ts';
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
async function openSide(name: string, programs: PeerPrograms, servers: PeerServers): Promise<Side> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const apiKey = randomBytes(16).toString('hex');
  const headers = { authorization: `Bearer ${apiKey}` };
  const env = settingsOf(servers, port, apiKey);
  const variables = Object.entries(env).map(([variable, value]) => `${variable}=${value}`);
  await runProgram('env', [...variables, 'timeout', '60', programs.outpost, 'migrate', 'apply', '--yes']);
  const isHealthy = async (): Promise<boolean> => (await fetch(`${origin}/api/v1/healthz`)).status === 200;
  const start = async (): Promise<Child> => {
    const started = await startProgram([programs.outpostServer], { name: 'Outpost', env, isReady: () => takesConnections(port) });
    await until(isHealthy, { within: HEALTHY_WITHIN_MS, what: 'Outpost to be healthy' });
    return started;
  };
  const outpost = await startQueueProcess(start, ({ pid }) => processTree(pid));
  const publishing = new RawClient([origin], PUBLISHING_CONNECTIONS, { headers, withinMs: PUBLISHED_WITHIN_MS });
  return {
    name,
    // Each tenant has one webhook destination.
    register: (endpoints) =>
      withEach(origin, headers, endpoints, async (client, { tenantId, url }) => {
        const tenant = `/api/v1/tenants/${tenantId}`;
        await client.send('PUT', tenant, '{}');
        await client.send('POST', `${tenant}/destinations`, JSON.stringify({ type: 'webhook', topics: [TOPIC], config: { url } }));
      }),
    // With the same data as Parcelway's; resolves once it is in the queue.
    publish({ id, tenantId, forecastNo, poNumber }) {
      const time = new Date().toISOString();
      const data = { event_id: id, environment: 'sandbox', forecast_no: forecastNo, po_number: poNumber, status: 3, weighed_at: time };
      const body = JSON.stringify({ id, tenant_id: tenantId, topic: TOPIC, eligible_for_retry: true, time, data });
      return publishing.send('POST', '/api/v1/publish', body);
    },
    usage: async () => ({ service: outpost.usedMicroseconds(), servers: servers.usedMicroseconds() }),
    killAndRestart: outpost.killAndRestart,
    async close() {
      await publishing.close();
      await outpost.current().end('SIGTERM');
      await servers.close();
    },
  };
}

/** Outpost as a peer. @param version as its report names it */
export const outpostKind =
  (programs: PeerPrograms, version: string): SideKind =>
  async () => {
    const servers = await openPeerServers(programs);
    return openSide(`Outpost ${version}`, programs, servers).catch(async (error: unknown) => {
      await servers.close();
      throw error;
    });
  };
