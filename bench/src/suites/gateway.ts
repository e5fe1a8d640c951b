import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IssuedKey } from '@parcelway/contracts/admin-api';
import { ApiClient } from '@parcelway/harness/api-client';
import type { Quickstart } from '@parcelway/harness/platform-process';
import { freePort } from '@parcelway/kernel/free-port';
import { type Child, startScript } from '../child.ts';
import { startNginx } from '../nginx.ts';
import { cpuMicrosecondsOf } from '../process-usage.ts';
import { findProgram, INSTALL_HINT, wrk } from '../programs.ts';
import { type Row, rowOf } from '../report.ts';
import { inCycles, type Suite, type SuiteOptions } from '../suite.ts';

/** High enough never to refuse, and counted all the same. */
const RATE_LIMIT = { per_second: 1_000_000, burst: 10_000_000 };
const PATH = '/open/v1/forecasts/weighing?po_number=PO-1';
const BODY_BYTES = 600;
/** More and shorter ones than elsewhere: the aim is a narrow one, and other work on the machine disturbs it. */
const MIN_CYCLES = 9;
const MAX_SECONDS = 2;

interface Proxy {
  readonly pid: number;
  readonly origin: string;
}

interface Reading {
  readonly perSecond: number;
  readonly cpuMicroseconds: number;
}

type Both<T> = Readonly<Record<'ours' | 'nginx', T>>;

async function startUpstream(program: string, directory: string): Promise<{ readonly child: Child; readonly origin: string }> {
  const port = await freePort();
  const body = JSON.stringify({ code: '0', message: 'success', data: 'y'.repeat(BODY_BYTES - 44) });
  const http = `server { listen 127.0.0.1:${port}; default_type application/json; location / { return 200 '${body}'; } }`;
  return { child: await startNginx({ program, directory: join(directory, 'upstream'), port, http }), origin: `http://127.0.0.1:${port}` };
}

async function startNginxProxy(
  program: string,
  directory: string,
  apiKey: string,
  upstream: string,
): Promise<{ readonly child: Child; readonly origin: string }> {
  const port = await freePort();
  const http = `map_hash_bucket_size 128;
  map $http_x_api_key $known { default 0; ${apiKey} 1; }
  upstream services { server ${new URL(upstream).host}; keepalive 256; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port} ssl; ssl_protocols TLSv1.2 TLSv1.3;
    ssl_certificate ${join(directory, 'data/tls/cert.pem')}; ssl_certificate_key ${join(directory, 'data/tls/key.pem')};
    location / {
      if ($known = 0) { return 401; }
      proxy_pass http://services; proxy_http_version 1.1; proxy_set_header Connection "";
    }
  }`;
  return { child: await startNginx({ program, directory: join(directory, 'proxy'), port, http }), origin: `https://localhost:${port}` };
}

/** A key of the demo tenant with a limit of its own. */
async function issueKey(dataDirectory: string): Promise<string> {
  const { admin, tenant } = JSON.parse(readFileSync(join(dataDirectory, 'quickstart.json'), 'utf8')) as Quickstart;
  const operator = new ApiClient(admin.url, null, undefined, { authorization: `Bearer ${admin.token}` });
  try {
    return (await operator.expectOk<IssuedKey>('/admin/v1/keys', { body: { tenant_id: tenant.id, rate_limit: RATE_LIMIT } })).key;
  } finally {
    await operator.close();
  }
}

async function read(proxy: Proxy, apiKey: string, seconds: number): Promise<Reading> {
  const before = cpuMicrosecondsOf(proxy.pid);
  const { requests, perSecond } = await wrk(proxy.origin + PATH, seconds, { 'X-Api-Key': apiKey });
  return { perSecond, cpuMicroseconds: (cpuMicrosecondsOf(proxy.pid) - before) / requests };
}

/** Measures both in turn. */
async function readBoth({ ours, nginx }: Both<Proxy>, apiKey: string, seconds: number): Promise<Both<Reading>> {
  return { ours: await read(ours, apiKey, seconds), nginx: await read(nginx, apiKey, seconds) };
}

function rowsOf(cycles: readonly Both<Reading>[]): Row[] {
  const figures = [
    { figure: 'perSecond', name: 'Gateway alone, 600 bytes over TLS', unit: '/s', better: 'higher' },
    { figure: 'cpuMicroseconds', name: 'Gateway alone, CPU a request', unit: 'µs', better: 'lower' },
  ] as const;
  return figures.map(({ figure, name, unit, better }) =>
    rowOf(
      { suite: 'gateway', name, unit, reference: 'nginx, key by map', better },
      cycles.map((cycle) => ({ ours: cycle.ours[figure], reference: cycle.nginx[figure] })),
    ),
  );
}

async function compare(options: SuiteOptions, program: string, directory: string, children: Child[]): Promise<Row[]> {
  const started = <T extends Child>(child: T): T => {
    children.push(child);
    return child;
  };
  const data = join(directory, 'data');
  const upstream = await startUpstream(program, directory);
  started(upstream.child);
  const ours = started(await startScript<{ origin: string }>('processes/gateway-alone.js', [data, upstream.origin]));
  const apiKey = await issueKey(data);
  const nginx = await startNginxProxy(program, directory, apiKey, upstream.origin);
  started(nginx.child);
  const proxies: Both<Proxy> = {
    ours: { pid: ours.pid, origin: ours.info.origin },
    nginx: { pid: nginx.child.pid, origin: nginx.origin },
  };
  options.progress('gateway alone, warming up');
  const seconds = Math.min(MAX_SECONDS, Math.max(1, Math.round(options.scale.measureMs / 1000)));
  await readBoth(proxies, apiKey, options.scale.quick ? 1 : 3);
  const scale = { ...options.scale, cycles: options.scale.quick ? options.scale.cycles : Math.max(MIN_CYCLES, options.scale.cycles) };
  return rowsOf(await inCycles({ ...options, scale }, 'gateway alone', () => readBoth(proxies, apiKey, seconds)));
}

/**
 * The gateway alone: an authenticated GET through it to a trivial upstream over TLS, 50 connections, with every check of
 * the real one, next to nginx; same certificate, same upstream, same load.
 */
export const gateway: Suite = async (options) => {
  const program = findProgram('nginx');
  const missing = [program ? '' : 'nginx', findProgram('wrk') ? '' : 'wrk'].filter((name) => name !== '');
  if (program === undefined || missing.length > 0) {
    options.skip(`gateway: ${missing.join(' and ')} not found; ${INSTALL_HINT}`);
    return [];
  }
  const directory = mkdtempSync(join(tmpdir(), 'parcelway-bench-'));
  const children: Child[] = [];
  try {
    return await compare(options, program, directory, children);
  } finally {
    await Promise.all(children.map((child) => child.end('SIGTERM')));
    rmSync(directory, { recursive: true, force: true });
  }
};
