import { routes } from '@parcelway/contracts/routes';
import { fourHostileBodies } from '@parcelway/harness/hostile-bodies';
import { startScript } from '../child-server.ts';
import { residentMegabytesOf } from '../process-usage.ts';
import type { RawClient } from '../raw-client.ts';
import { onStage, type Stage } from '../stage.ts';
import type { Suite } from '../suite.ts';

const BYTES = 5 * 1024 * 1024;

const jsonRoutes = routes.flatMap((route) =>
  route.body === undefined || route.body === 'multipart' ? [] : [{ ...route, body: route.body }],
);

/** The longest wait for a response, in milliseconds, asked for over and over until `work` is done. */
async function slowestDuring(client: RawClient, path: string, work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const done = work.finally(() => {
    isOver = true;
  });
  let slowest = 0;
  do {
    const begun = performance.now();
    await client.send('GET', path, null);
    slowest = Math.max(slowest, performance.now() - begun);
  } while (!isOver);
  await done;
  return slowest;
}

/** Sends the bodies at once. @returns the codes of the responses */
async function flood(stage: Stage, key: string, method: 'POST' | 'PATCH', path: string, bodies: readonly string[]): Promise<string[]> {
  const client = stage.platform.client(key);
  const headers = { 'content-type': 'application/json' };
  return Promise.all(bodies.map(async (body) => (await client.call(path, { method, body, headers, timeoutMs: 120_000 })).code));
}

/**
 * Wrong bodies of 5 MB, four at once, to each route that takes JSON: the slowest `/healthz` meanwhile, next to that of a bare server asked by the
 * same client at the same time, and by how much the platform grows.
 */
export const hostileBodies: Suite = async (options) =>
  onStage(async (stage) => {
    const bare = await startScript<{ origin: string }>('processes/constant-server.js');
    const lines: Array<readonly (string | number)[]> = [];
    try {
      const { endpoint_id: endpointId } = await stage.platform
        .client(stage.tenantKey)
        .expectOk<{ endpoint_id: string }>('/open/v1/webhook-endpoints', { body: { url: 'https://example.com/' } });
      const [ours, reference] = [stage.client(stage.tenantKey, 1), stage.referenceClient(bare.info.origin, 1)];
      for (const { method, path, access, body } of jsonRoutes) {
        options.progress(`${method} ${path}`);
        const bodies = fourHostileBodies(body, BYTES).map(({ text }) => text());
        const before = residentMegabytesOf(stage.platform.pid);
        const key = access === 'warehouse' ? stage.warehouseKey : stage.tenantKey;
        const floods = flood(stage, key, method as 'POST' | 'PATCH', path.replace('{endpoint_id}', endpointId), bodies);
        let peak = before;
        const timer = setInterval(() => {
          peak = Math.max(peak, residentMegabytesOf(stage.platform.pid));
        }, 10);
        const [slowest, bareSlowest] = await Promise.all([
          slowestDuring(ours, '/healthz', floods),
          slowestDuring(reference, '/', floods),
        ]).finally(() => clearInterval(timer));
        lines.push([`${method} ${path}`, slowest, bareSlowest, peak - before, [...new Set(await floods)].join(', ')]);
      }
    } finally {
      await bare.stop();
    }
    options.table({
      title: 'Four wrong bodies of 5 MB at once',
      columns: ['Route', 'Slowest /healthz, ms', 'Bare server meanwhile, ms', 'Growth, MiB', 'Codes'].map((name, index) => ({
        name,
        numeric: index >= 1 && index <= 3,
      })),
      lines,
    });
    return [];
  });
