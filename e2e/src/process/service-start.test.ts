import { fileURLToPath } from 'node:url';
import { describe, expect, jest, test } from '@jest/globals';
import { serviceNames } from '@parcelway/contracts/service-name';
import type { Program } from '@parcelway/harness/program';
import { until } from '@parcelway/kernel/testing/until';
import { usePrograms } from '../use-programs.ts';

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

const start = usePrograms();
const startService = (service: string, env: Readonly<Record<string, string>>): Program =>
  start(process.execPath, [fileURLToPath(new URL(`../../../dist/${service}.js`, import.meta.url))], { env });
const outputOf = ({ stdout, stderr }: Program): string => stdout + stderr;

const common = ['MONGODB_URL', 'KAFKA_BROKERS', 'INTERNAL_SECRET', 'FILE_SECRET'];

/** Starts a service, and says how it has ended and what it has said. */
async function run(service: string, env: Record<string, string>) {
  const program = startService(service, env);
  const { code } = await program.end();
  return { code, output: outputOf(program) };
}

describe.each(serviceNames)('%s', (service) => {
  test('names every wrong variable without its value, and ends at once', async () => {
    const wrong = Object.fromEntries(Object.keys(complete).map((name) => [name, SECRET]));
    const { code, output } = await run(service, wrong);
    expect(code).toBe(1);
    for (const name of common) expect(output).toContain(name);
    expect(output).not.toContain(SECRET);
  });
});

test('waits for servers that are away, says so without a secret, and can be stopped', async () => {
  const program = startService('warehouse-intake', complete);
  await until(() => outputOf(program) !== '', { what: 'the service to say something' });
  const { code } = await program.end('SIGTERM');
  const output = outputOf(program);
  expect(output).toContain('MongoDB does not respond; waiting for it');
  expect(output).not.toContain(SECRET);
  expect(code).toBe(1);
});
