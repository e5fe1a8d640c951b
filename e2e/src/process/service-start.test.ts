import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, jest, test } from '@jest/globals';
import { serviceNames } from '@parcelway/contracts/service-name';

// A process ends at once, after it was started: which takes long on a machine that has much else to do.
jest.setTimeout(60_000);

/* Each service as a process of its own, without any server: what it says of a configuration that cannot be used. */

const SECRET = 'hunter2';
const complete = {
  MONGODB_URL: `mongodb://user:${SECRET}@127.0.0.1:9/?replicaSet=rs0`,
  KAFKA_BROKERS: '127.0.0.1:9',
  REDIS_URL: `redis://:${SECRET}@127.0.0.1:9`,
  S3_ENDPOINT: 'http://127.0.0.1:9',
  S3_ACCESS_KEY: SECRET,
  S3_SECRET_KEY: SECRET,
  INTERNAL_SECRET: SECRET.repeat(5),
  FILE_SECRET: SECRET.repeat(5),
  PUBLIC_BASE_URL: 'https://localhost:8443',
  FORECAST_URL: 'http://127.0.0.1:9',
  FILE_URL: 'http://127.0.0.1:9',
  WAREHOUSE_INTAKE_URL: 'http://127.0.0.1:9',
  TRACKING_URL: 'http://127.0.0.1:9',
  WEBHOOK_URL: 'http://127.0.0.1:9',
};

/** What each service needs, besides what all do. */
const needs: Readonly<Record<(typeof serviceNames)[number], readonly string[]>> = {
  gateway: ['REDIS_URL', 'PUBLIC_BASE_URL', 'FORECAST_URL', 'FILE_URL', 'WAREHOUSE_INTAKE_URL', 'TRACKING_URL', 'WEBHOOK_URL'],
  forecast: [],
  file: ['S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'PUBLIC_BASE_URL', 'FORECAST_URL'],
  'warehouse-intake': ['FORECAST_URL'],
  tracking: [],
  webhook: ['REDIS_URL', 'FORECAST_URL', 'TRACKING_URL'],
};
const common = ['MONGODB_URL', 'KAFKA_BROKERS', 'INTERNAL_SECRET', 'FILE_SECRET'];

/** Starts a service; `onOutput` may end it. Resolves with what it said and how it ended. */
async function run(service: string, env: Record<string, string>, onOutput: (kill: () => void) => void = () => undefined) {
  const main = fileURLToPath(new URL(`../../../services/${service}/dist/main.js`, import.meta.url));
  const child = spawn(process.execPath, [main], { env: { PATH: process.env['PATH'], ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      onOutput(() => child.kill('SIGTERM'));
    });
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), 50_000);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return { code, output };
}

describe.each(serviceNames)('%s', (service) => {
  test('names every variable that it lacks, and ends at once', async () => {
    const { code, output } = await run(service, {});
    expect(code).toBe(1);
    const named = [...output.matchAll(/^ {2}- ([A-Z0-9_]+) /gm)].map(([, name]) => name as string);
    expect(named.sort()).toEqual([...common, ...needs[service]].sort());
  });

  test('does not show the value of a wrong one', async () => {
    const wrong = Object.fromEntries(Object.keys(complete).map((name) => [name, SECRET]));
    const { code, output } = await run(service, wrong);
    expect(code).toBe(1);
    for (const name of common) expect(output).toContain(name);
    expect(output).not.toContain(SECRET);
  });
});

test('waits for servers that are away, says so without a secret, and can be stopped', async () => {
  const { code, output } = await run('warehouse-intake', complete, (kill) => kill());
  expect(output).toContain('MongoDB does not respond; waiting for it');
  expect(output).not.toContain(SECRET);
  expect(code).toBe(1);
});
