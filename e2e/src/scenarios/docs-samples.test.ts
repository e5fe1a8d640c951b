import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { buildOpenApi } from '@parcelway/contracts/openapi';
import { DocumentProbe } from '@parcelway/contracts/testing/document-probe';
import { documentedRoutes } from '../fuzz/documented-routes.ts';
import { journeySamples, referenceSamples, type SampleLanguage, sampleLanguages } from '../samples/documented-samples.ts';
import { isInstalled, runners, runProgram } from '../samples/run-sample.ts';
import { documentedEnvironment, SampleReader } from '../samples/sample-reader.ts';
import { useDirectory } from '../use-directory.ts';
import { useOpened, useStage } from '../use-stage.ts';

/*
 * The samples of the documentation, each run as a reader pastes it: those of the journey of a parcel in all languages, those of every
 * route in curl, Node and Python. Those of every route compile in Go and Java.
 */

/** Route → why its sample cannot succeed for this reader, and what the platform responds then. */
const FAILS: Readonly<Record<string, string>> = {
  // Only a warehouse or a simulation makes a photo.
  openPhoto: '404',
  // No event waits for its forecast.
  claimUnclaimed: '40403',
  dismissUnclaimed: '40403',
};

/** Languages in which every route is run. */
const EVERYWHERE: readonly SampleLanguage[] = ['bash', 'javascript', 'python'];

const stage = useStage({ RATE_LIMITS: 'off' });
const directory = useDirectory();
const documented = documentedRoutes(new DocumentProbe(buildOpenApi({ environment: 'sandbox', baseUrl: 'https://api.example.test' })));
const published = useOpened('samples', async () => {
  const client = stage.platform.client(null);
  const [reference, journey] = await Promise.all([referenceSamples(client), journeySamples(client)]);
  const [first, ...steps] = journey;
  return { reference, steps, env: await documentedEnvironment(first?.code.get('bash') ?? '', stage.platform.dataDirectory) };
});
let readers = 0;

/** A reader who is a new merchant. */
async function reader(): Promise<SampleReader> {
  readers += 1;
  const { identity } = await stage.operator.newMerchant();
  const folder = join(directory.path, String(readers));
  return new SampleReader(folder, { ...published.env, PARCELWAY_API_KEY: identity.key }, stage.platform.quickstart.base_url);
}

/** Runs a test for a language; where this machine lacks it, the name of the skipped test says what to install. */
function testIn(language: SampleLanguage, name: string, run: () => Promise<void>): void {
  if (isInstalled(language)) test(name, run, 600_000);
  else test.skip(`${name}; needs ${runners[language].needs}, which is not installed here`, run);
}

test('the commands of the page set what the samples read', () => {
  const { tenant, ca_file } = stage.platform.quickstart;
  expect(published.env).toMatchObject({ PARCELWAY_API_KEY: tenant.api_key, CURL_CA_BUNDLE: ca_file, NODE_EXTRA_CA_CERTS: ca_file });
});

test('every route has a sample in every language', () => {
  const lacking = documented.flatMap(({ method, path }) => {
    const sample = published.reference.get(`${method} ${path}`);
    return sampleLanguages.filter((language) => !sample?.code.has(language)).map((language) => `${method} ${path}: ${language}`);
  });
  expect(lacking).toEqual([]);
});

describe.each(sampleLanguages)('the journey of a parcel in %s', (language) => {
  testIn(language, 'works as it is written', async () => {
    const merchant = await reader();
    const steps = published.steps.filter(({ title }) => title !== 'Verify a webhook');
    expect(steps.length).toBeGreaterThan(5);
    for (const step of steps) {
      const { status, stdout, stderr } = await merchant.run(step, language);
      expect({ step: step.title, status, stderr: status === 0 ? '' : stderr }).toEqual({ step: step.title, status: 0, stderr: '' });
      if (language === 'bash') expect([step.title, stdout]).toEqual([step.title, expect.stringContaining('"code":"0"')]);
    }
  });
});

// A connection is tested with a vendor outside.
const routes = documented.filter(({ id }) => id !== 'testConnection');

describe.each(EVERYWHERE)('every route in %s', (language) => {
  for (const { id, method, path } of routes) {
    testIn(language, `${id} works as it is written`, async () => {
      const merchant = await reader();
      await merchant.prepare(path, published.reference);
      const sample = published.reference.get(`${method} ${path}`);
      if (sample === undefined) throw new Error(`The reference has no sample of ${method} ${path}`);
      const key = path.startsWith('/warehouse/') ? stage.platform.quickstart.warehouse.api_key : undefined;
      if (id === 'getEventOutcome') {
        const report = published.reference.get('POST /warehouse/v1/events');
        if (report !== undefined) await merchant.run(report, 'bash', key);
      }
      const { status, stdout, stderr } = await merchant.run(sample, language, key);
      const failure = FAILS[id];
      const said = `${stdout}${stderr}`;
      if (failure !== undefined) expect(said).toContain(failure);
      else if (language === 'bash' && id !== 'openFile') expect(said).toContain('"code":"0"');
      else expect({ status, said: status === 0 ? '' : said }).toEqual({ status: 0, said: '' });
    });
  }
});

describe('every route', () => {
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
