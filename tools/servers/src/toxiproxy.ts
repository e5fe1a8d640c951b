import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goProgram } from './artifact.ts';
import type { SetConfig } from './places.ts';
import { portsOf } from './ports.ts';
import type { Server } from './server.ts';
import { httpCheck } from './wait-until.ts';

const CALL_DEADLINE_MS = 5000;

const artifact = goProgram({
  name: 'toxiproxy',
  version: 'v2.12.0',
  from: 'github.com/Shopify/toxiproxy/v2/cmd/server',
  deadlineMs: 10 * 60_000,
});

/**
 * The proxies of a set, one for each server that a client talks to.
 * @returns as Toxiproxy's API has them
 */
function proxiesOf({ base, cluster }: SetConfig) {
  const ports = portsOf(base, cluster);
  const proxy = (name: string, listen: number, upstream: number) => ({
    name,
    listen: `127.0.0.1:${listen}`,
    upstream: `127.0.0.1:${upstream}`,
    enabled: true,
  });
  const numbered = (name: string, node: number) => (cluster ? `${name}-${node + 1}` : name);
  return [
    ...ports.mongo.map((mongo, node) => proxy(numbered('mongo', node), mongo.proxy, mongo.port)),
    ...ports.kafka.map((kafka, node) => proxy(numbered('kafka', node), kafka.proxy, kafka.behindProxy)),
    proxy('redis', ports.redis.proxy, ports.redis.port),
    proxy('s3', ports.s3.proxy, ports.s3.port),
  ];
}

/** Toxiproxy with the set's proxies; a restart brings them back without toxics. */
export function toxiproxyServer(set: SetConfig): Server {
  const port = portsOf(set.base, set.cluster).toxiproxy;
  const proxies = proxiesOf(set);
  return {
    name: 'toxiproxy',
    artifact,
    ports: [port, ...proxies.map((proxy) => Number(proxy.listen.split(':')[1]))],
    startDeadlineMs: 30_000,
    prepare: async ({ program, directory }) => {
      const config = join(directory, 'proxies.json');
      writeFileSync(config, JSON.stringify(proxies));
      return { command: [join(program, 'toxiproxy'), '-host', '127.0.0.1', '-port', String(port), '-config', config] };
    },
    check: () => httpCheck(`http://127.0.0.1:${port}/version`),
  };
}

/** Creates the proxies that a test removed. Those that exist are left alone, with their toxics: another run may use them. */
export async function restoreProxies(set: SetConfig): Promise<void> {
  const url = `http://127.0.0.1:${portsOf(set.base, set.cluster).toxiproxy}/proxies`;
  const existing = await call(url);
  const missing = proxiesOf(set).filter((proxy) => existing[proxy.name] === undefined);
  for (const proxy of missing) await call(url, { method: 'POST', body: JSON.stringify(proxy) });
}

async function call(url: string, init = {}) {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(CALL_DEADLINE_MS) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} responds with ${response.status}: ${text}`);
  return JSON.parse(text);
}
