import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { RouteDefinition } from '@parcelway/contracts/route';
import { routes as documented } from '@parcelway/contracts/routes';
import type { Program } from '@parcelway/harness/program';
import { freePort } from '@parcelway/kernel/free-port';
import { until } from '@parcelway/kernel/testing/until';
import { useListeners } from '../listener.ts';
import { useDirectory } from '../use-directory.ts';
import { usePrograms } from '../use-programs.ts';
import { useOpened, useStage } from '../use-stage.ts';
import { type DocumentedSample, journeySamples, referenceSamples, type SampleLanguage, sampleLanguages } from './documented-samples.ts';
import { isInstalled, lacksForClient, prepareSample, runners, runProgram } from './run-sample.ts';
import { documentedEnvironment, SampleReader } from './sample-reader.ts';

/*
 * The samples of the documentation, each run as a reader pastes it: those of the journey of a parcel in all languages, those of every
 * route in curl, Node and Python. Those of every route compile in Go, Java and PHP.
 */

/** Route → why its sample cannot succeed for this reader, and what the platform responds then. */
const FAILS: Readonly<Record<string, string>> = {
  // Only a warehouse or a simulation makes a photo.
  openPhoto: '404',
  // No event waits for its forecast.
  claimUnclaimed: '40403',
  dismissUnclaimed: '40403',
  // An image is uploaded before, and its id is in the response alone.
  addForecastImage: '42201',
  removeForecastImage: '40403',
};

/** Route → what the platform responds when it is quicker than the reader. */
const MAY_FAIL: Readonly<Record<string, string>> = { cancelImport: '40902' };

const downloads = new Set(documented.filter(({ data }) => data === 'binary' || data === 'table').map(({ id }) => id));

/** In what curl prints. */
const GOOD = '"code":"0"';

/** Languages in which every route is run. */
const EVERYWHERE: readonly SampleLanguage[] = ['bash', 'javascript', 'python'];

const stage = useStage({ RATE_LIMITS: 'off' });
const directory = useDirectory();
const start = usePrograms();
const listen = useListeners(stage);
const published = useOpened('samples', async () => {
  const client = stage.platform.client(null);
  const [reference, journey] = await Promise.all([referenceSamples(client), journeySamples(client)]);
  const [_packages, key, ...steps] = journey;
  return { reference, steps, env: await documentedEnvironment(key?.code.get('bash') ?? '', stage.platform.dataDirectory) };
});
let readers = 0;

/** A reader who is a new merchant. */
async function reader(): Promise<SampleReader> {
  readers += 1;
  const folder = join(directory.path, String(readers));
  const { identity } = await stage.operator.newMerchant();
  return new SampleReader(folder, { ...published.env, PARCELWAY_API_KEY: identity.key }, stage.platform.quickstart.base_url);
}

/** Runs a test for a language; where this machine lacks it, the name of the skipped test says what to install. */
function testIn(language: SampleLanguage, name: string, run: () => Promise<void>): void {
  if (isInstalled(language)) test(name, run, 600_000);
  else test.skip(`${name}; needs ${runners[language].needs}, which is not installed here`, run);
}

test('the commands of the page set what the samples read', () => {
  const { tenant, ca_file, base_url } = stage.platform.quickstart;
  expect(published.env).toMatchObject({
    PARCELWAY_API_KEY: tenant.api_key,
    PARCELWAY_BASE_URL: base_url,
    PARCELWAY_CA_FILE: ca_file,
    CURL_CA_BUNDLE: ca_file,
    NODE_EXTRA_CA_CERTS: ca_file,
  });
});

test('every route has a sample in every language', () => {
  const lacking = documented.flatMap(({ method, path }) => {
    const sample = published.reference.get(`${method} ${path}`);
    return sampleLanguages.filter((language) => !sample?.code.has(language)).map((language) => `${method} ${path}: ${language}`);
  });
  expect(lacking).toEqual([]);
});

const RECEIVE = 'Receive webhooks on your machine';
/** Code of another kind: the tests of docs/examples/verify run it. */
const VERIFY = 'Verify a webhook';

/** Starts the receiver of the journey, as a reader does in another terminal. */
async function startReceiver(merchant: SampleReader, language: SampleLanguage): Promise<Program> {
  const key = merchant.env['PARCELWAY_API_KEY'] ?? '';
  const { secret } = await stage.platform.client(key).expectOk<{ secret: string }>('/sandbox/v1/listen');
  const port = await freePort();
  const env = { ...merchant.env, WEBHOOK_SECRET: secret, RECEIVER_PORT: String(port) };
  const cwd = join(merchant.folder, 'receiver');
  const code = published.steps.find(({ title }) => title === RECEIVE)?.code.get(language) ?? '';
  const [command, ...args] = await prepareSample(language, code, cwd, env);
  const receiver = start(command, args, { cwd, env });
  await receiver.untilPrinted(/Waiting for webhooks/);
  // The one that asks for nothing itself: the command that it names brings it its webhooks.
  if (language === 'java') await listen(['--forward-to', `http://localhost:${port}/`], { PARCELWAY_API_KEY: key });
  return receiver;
}

describe.each(sampleLanguages)('the journey of a parcel in %s', (language) => {
  const lacks = lacksForClient(language);
  const [runOrSkip, needs] = lacks === undefined ? [test, ''] : [test.skip, `; needs ${lacks}, which is not installed here`];

  runOrSkip(
    `works as it is written${needs}`,
    async () => {
      const merchant = await reader();
      // The receiver and the command that the sample for curl starts have tests of their own.
      const receiver = language === 'bash' ? undefined : await startReceiver(merchant, language);
      const steps = published.steps.filter(({ title }) => title !== RECEIVE && title !== VERIFY);
      expect(steps.length).toBeGreaterThan(5);
      for (const step of steps) {
        const { status, stdout, stderr } = await merchant.run(step, language);
        expect({ step: step.title, status, stderr: status === 0 ? '' : stderr }).toEqual({ step: step.title, status: 0, stderr: '' });
        if (language === 'bash') expect([step.title, stdout]).toEqual([step.title, expect.stringContaining(GOOD)]);
        if (step.title === 'Let the warehouse weigh it') await receiver?.untilPrinted(/VERIFIED parcel\.weighed PO-2025-1121-001/);
        if (step.title === 'Let the carrier report') await receiver?.untilPrinted(/VERIFIED tracking\.changed PO-2025-1121-001/);
      }
    },
    600_000,
  );
});

// A connection is tested with a vendor outside.
const routes = documented.filter(({ id }) => id !== 'testConnection');

/** What a warehouse has to have reported, or to know, before its route responds. */
async function prepareWarehouse(merchant: SampleReader, sample: DocumentedSample, id: string, key: string): Promise<void> {
  const report = published.reference.get('POST /warehouse/v1/events');
  if (id === 'getEventOutcome' && report !== undefined) await merchant.run(report, 'bash', key);
  // The view of a warehouse follows the forecasts.
  if (id !== 'getWarehouseForecast') return;
  await until(async () => (await merchant.run(sample, 'bash', key)).stdout.includes(GOOD), {
    within: 20_000,
    what: 'the forecast in the view',
  });
}

/** Runs the sample of a route as a new merchant, after what the route needs. @returns what is wrong; undefined when nothing is */
async function faultOf({ id, method, path }: RouteDefinition, language: SampleLanguage): Promise<string | undefined> {
  const sample = published.reference.get(`${method} ${path}`);
  if (sample === undefined) return 'the reference has no sample';
  const merchant = await reader();
  await merchant.prepare(path, published.reference);
  const key = path.startsWith('/warehouse/') ? stage.platform.quickstart.warehouse.api_key : undefined;
  if (key !== undefined) await prepareWarehouse(merchant, sample, id, key);
  const { status, stdout, stderr } = await merchant.run(sample, language, key);
  const expected = FAILS[id] ?? (language === 'bash' && !downloads.has(id) ? GOOD : undefined);
  const printed = `${stdout}${stderr}`;
  const isLate = MAY_FAIL[id] !== undefined && printed.includes(MAY_FAIL[id]);
  const isGood = expected === undefined ? status === 0 : printed.includes(expected);
  return isGood || isLate ? undefined : `${language} ended with ${status}: ${stdout}${stderr}`;
}

describe('every route', () => {
  const [installed, missing] = [true, false].map((wanted) => EVERYWHERE.filter((language) => isInstalled(language) === wanted));

  test.each(routes.map((route) => [route.id, route] as const))(
    '%s works as it is written',
    async (_id, route) => {
      const faults = await Promise.all((installed ?? []).map((language) => faultOf(route, language)));
      expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
    },
    120_000,
  );

  for (const language of missing ?? []) testIn(language, `works in ${language}`, async () => undefined);

  testIn('go', 'compiles in Go', async () => {
    const module = join(directory.path, 'go');
    mkdirSync(module);
    writeFileSync(join(module, 'go.mod'), 'module example\n\ngo 1.21\n');
    for (const [index, { code }] of [...published.reference.values()].entries()) {
      mkdirSync(join(module, `sample${index}`));
      writeFileSync(join(module, `sample${index}`, 'main.go'), code.get('go') ?? '');
    }
    const env = { ...published.env, GOPROXY: 'off', GOTOOLCHAIN: 'local' };
    expect(await runProgram('go', ['vet', './...'], { cwd: module, env })).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  testIn('php', 'compiles in PHP', async () => {
    const folder = join(directory.path, 'php');
    mkdirSync(folder);
    for (const [index, { code }] of [...published.reference.values()].entries())
      writeFileSync(join(folder, `${index}.php`), code.get('php') ?? '');
    const command = 'for file in *.php; do php -l "$file" >/dev/null || exit 1; done';
    expect(await runProgram('bash', ['-c', command], { cwd: folder, env: published.env })).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  testIn('java', 'compiles in Java', async () => {
    const folder = join(directory.path, 'java');
    mkdirSync(folder);
    const names = [...published.reference.values()].map(({ code }) => {
      const text = code.get('java') ?? '';
      writeFileSync(join(folder, runners.java.file(text)), text);
      return runners.java.file(text);
    });
    expect(new Set(names).size).toBe(names.length);
    const { JAVA_TOOL_OPTIONS: _, ...env } = published.env;
    expect(await runProgram('javac', ['-encoding', 'UTF-8', '-d', 'built', ...names], { cwd: folder, env })).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    });
  });
});
