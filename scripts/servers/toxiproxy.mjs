import { join } from 'node:path';
import { goProgram } from './go-program.mjs';
import { httpCheck } from './http-check.mjs';
import { writeWhole } from './places.mjs';
import { portsOf } from './ports.mjs';

const CALL_DEADLINE_MS = 5000;

const artifact = goProgram({
  name: 'toxiproxy',
  version: 'v2.12.0',
  package: 'github.com/Shopify/toxiproxy/v2/cmd/server',
  deadlineMs: 10 * 60_000,
});

/**
 * The proxies of a set, one for each server that a client talks to.
 * @param {{ base: number, cluster: boolean }} set
 * @returns {{ name: string, listen: string, upstream: string, enabled: boolean }[]} as Toxiproxy's API has them
 */
export function proxiesOf({ base, cluster }) {
  const ports = portsOf(base, cluster);
  const proxy = (name, listen, upstream) => ({ name, listen: `127.0.0.1:${listen}`, upstream: `127.0.0.1:${upstream}`, enabled: true });
  const numbered = (name, node) => (cluster ? `${name}-${node + 1}` : name);
  return [
    ...ports.mongo.map((mongo, node) => proxy(numbered('mongo', node), mongo.proxy, mongo.port)),
    ...ports.kafka.map((kafka, node) => proxy(numbered('kafka', node), kafka.proxy, kafka.behindProxy)),
    proxy('redis', ports.redis.proxy, ports.redis.port),
    proxy('s3', ports.s3.proxy, ports.s3.port),
  ];
}

/**
 * Toxiproxy with the set's proxies; a restart brings them back without toxics.
 * @param {{ base: number, cluster: boolean }} set
 * @returns {import('./server.mjs').Server}
 */
export function toxiproxyServer(set) {
  const port = portsOf(set.base, set.cluster).toxiproxy;
  const proxies = proxiesOf(set);
  return {
    name: 'toxiproxy',
    artifact,
    ports: [port, ...proxies.map((proxy) => Number(proxy.listen.split(':')[1]))],
    startDeadlineMs: 30_000,
    prepare: async ({ program, directory }) => {
      const config = join(directory, 'proxies.json');
      writeWhole(config, JSON.stringify(proxies, null, 2));
      return { command: [join(program, 'toxiproxy'), '-host', '127.0.0.1', '-port', String(port), '-config', config], env: {} };
    },
    check: () => httpCheck(`http://127.0.0.1:${port}/version`),
  };
}

/**
 * Creates the proxies that a test removed. Those that exist are left alone, with their toxics: another run may use them.
 * @param {{ base: number, cluster: boolean }} set
 * @returns {Promise<string[]>} names of those created
 */
export async function restoreProxies(set) {
  const url = `http://127.0.0.1:${portsOf(set.base, set.cluster).toxiproxy}/proxies`;
  const existing = await call(url);
  const missing = proxiesOf(set).filter((proxy) => existing[proxy.name] === undefined);
  for (const proxy of missing) await call(url, { method: 'POST', body: JSON.stringify(proxy) });
  return missing.map((proxy) => proxy.name);
}

async function call(url, init = {}) {
  const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(CALL_DEADLINE_MS) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${text}`);
  return JSON.parse(text);
}
