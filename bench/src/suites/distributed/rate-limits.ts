import type { IssuedKey } from '@parcelway/contracts/admin-api';
import type { DistributedStage } from '../../distributed-stage.ts';
import { exactCpuMicrosecondsOf } from '../../process-usage.ts';
import type { RawClient } from '../../raw-client.ts';
import { type Row, rowOf } from '../../report/row.ts';
import type { BenchServers } from '../../servers.ts';
import { median } from '../../statistics.ts';
import { inCycles, pause, type SuiteOptions } from '../../suite.ts';

/** Never refuses these loads, and is counted all the same. */
const RATE_LIMIT = { per_second: 5000, burst: 10_000 };
const LOADS = [200, 2000] as const;
const MIN_CYCLES = 5;
const CONNECTIONS = 20;
/** Requests are sent by a schedule, some at each step of it; milliseconds. */
const STEP_MS = 5;

/** CPU time of one request, microseconds. */
interface Cost {
  readonly gateway: number;
  readonly redis: number;
}

interface Cycle {
  readonly limited: Cost;
  readonly unlimited: Cost;
}

/** GETs the feed at a steady rate, however long responses take. @returns requests sent, once all have their response */
async function load(client: RawClient, perSecond: number, milliseconds: number): Promise<number> {
  const count = Math.round((perSecond * milliseconds) / 1000);
  const responses: Promise<void>[] = [];
  const begun = performance.now();
  while (responses.length < count) {
    const due = Math.min(count, Math.floor(((performance.now() - begun) * perSecond) / 1000) + 1);
    while (responses.length < due) responses.push(client.send('GET', '/open/v1/forecasts?page_size=1', null));
    await pause(STEP_MS);
  }
  await Promise.all(responses);
  return count;
}

async function costOf(client: RawClient, perSecond: number, milliseconds: number, gateway: number, redis: number): Promise<Cost> {
  const before = { gateway: exactCpuMicrosecondsOf(gateway), redis: exactCpuMicrosecondsOf(redis) };
  const requests = await load(client, perSecond, milliseconds);
  return {
    gateway: (exactCpuMicrosecondsOf(gateway) - before.gateway) / requests,
    redis: (exactCpuMicrosecondsOf(redis) - before.redis) / requests,
  };
}

/** CPU time that the gateway and Redis use for an authenticated GET of a key with a limit, next to a key without one. */
export async function rateLimits(options: SuiteOptions, stage: DistributedStage, servers: BenchServers): Promise<readonly Row[]> {
  const redis = await servers.pidOf('redis');
  if (redis === undefined) {
    options.skip('rate-limits: the process of Redis is not known; set PARCELWAY_SERVERS_PORT_BASE');
    return [];
  }
  const [gateway = 0] = stage.pidsOf('gateway');
  const holder = { tenant_id: stage.platform.quickstart.tenant.id, rate_limit: RATE_LIMIT };
  const { key } = await stage.platform.admin().expectOk<IssuedKey>('/admin/v1/keys', { body: holder });
  const clients = { limited: stage.client(key, CONNECTIONS), unlimited: stage.client(stage.tenantKey, CONNECTIONS) };
  const { measureMs, quick } = options.scale;
  const scale = { ...options.scale, cycles: quick ? 1 : Math.max(MIN_CYCLES, options.scale.cycles) };
  const rows: Row[] = [];
  const lines: (string | number)[][] = [];
  for (const perSecond of LOADS) {
    const cost = (client: RawClient): Promise<Cost> => costOf(client, perSecond, measureMs, gateway, redis);
    await load(clients.limited, perSecond, measureMs);
    const cycles: Cycle[] = await inCycles({ ...options, scale }, `rate limits, ${perSecond}/s`, async () => ({
      limited: await cost(clients.limited),
      unlimited: await cost(clients.unlimited),
    }));
    const about = { suite: 'rate-limits', unit: 'µs', reference: 'the same, key without a limit', better: 'lower' as const };
    const both = ({ gateway: ours, redis: theirs }: Cost): number => ours + theirs;
    const samples = cycles.map(({ limited, unlimited }) => ({ ours: both(limited), reference: both(unlimited) }));
    rows.push(rowOf({ ...about, name: `CPU of gateway and Redis a GET, ${perSecond}/s` }, samples));
    for (const kind of ['limited', 'unlimited'] as const) {
      const of = (process: keyof Cost): number => Math.round(median(cycles.map((cycle) => cycle[kind][process])) * 10) / 10;
      lines.push([perSecond, kind === 'limited' ? 'with a limit' : 'without', of('gateway'), of('redis')]);
    }
  }
  const numeric = (name: string) => ({ name, numeric: true });
  const columns = [numeric('GETs a second'), { name: 'Key', numeric: false }, numeric('Gateway, µs a GET'), numeric('Redis, µs a GET')];
  options.table({ title: 'CPU of rate limits', columns, lines });
  return rows;
}
