// `npm run check:clients`: generates clients of the API with the generators that merchants use, builds the package for Python, checks their
// types, and submits a forecast with each on an embedded platform; then runs the examples of the documentation, and packs the SDK. Each folder in tools/testing/clients is a client, whose check.sh does that; options: names of folders, to check only those. What
// it downloads and builds stays in .cache/clients and in the caches of the tools. The last line is `N passed, N failed`.

import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlatformProcess } from '@parcelway/harness/platform-process';
import { killPrograms, Program } from '@parcelway/harness/program';
import { say, step } from '@parcelway/tools-servers/progress';
import { root, runJest } from './jest-run.ts';

const folder = join(root, 'tools', 'testing', 'clients');
const clients = readdirSync(folder);
const chosen = process.argv.slice(2);
type Outcome = 'passed' | 'failed' | 'skipped';

/** What a check may take where nothing has been downloaded yet, on a busy machine. */
const DEADLINE_MS = 30 * 60_000;

/** Exit codes of a check.sh: the toolchain is missing, which CI has; and one that CI may lack, too. */
const MISSING = 69;
const MISSING_ANYWHERE = 77;

/** How a client fared, and the line that says so. */
interface Result {
  readonly outcome: Outcome;
  readonly line: string;
}

/** An empty folder with the program of a client and the document; what its tools have downloaded stays. */
function prepare(client: string, document: string) {
  const work = join(root, '.cache', 'clients', client);
  mkdirSync(work, { recursive: true });
  for (const generated of ['parcelway', 'parcelway_client', 'generated', 'built', 'target', 'package', 'dist']) {
    rmSync(join(work, generated), { recursive: true, force: true });
  }
  for (const empty of ['parcelway', 'generated']) mkdirSync(join(work, empty));
  cpSync(join(folder, client), work, { recursive: true });
  writeFileSync(join(work, 'openapi.json'), document);
  return work;
}

async function check(client: string, platform: PlatformProcess, document: string): Promise<Result> {
  const started = performance.now();
  const { base_url: baseUrl, ca_file: caFile, tenant, warehouse } = platform.quickstart;
  const env = {
    ...process.env,
    CHECKOUT: root,
    PARCELWAY_BASE_URL: baseUrl,
    PARCELWAY_CA_FILE: caFile,
    PARCELWAY_API_KEY: tenant.api_key,
    PARCELWAY_WAREHOUSE_CODE: warehouse.code,
    NODE_EXTRA_CA_CERTS: caFile,
  };
  const options = { cwd: prepare(client, document), env, withinMs: DEADLINE_MS };
  const { status, stdout, stderr } = await step(client, () => Program.run('sh', ['-eu', 'check.sh'], options));
  if (status === MISSING_ANYWHERE || (status === MISSING && process.env.CI !== 'true'))
    return { outcome: 'skipped', line: `skip  ${client}: ${stdout.trim().split('\n').at(-1)}` };
  const missed = [/submitted \S+/, /weighed 1\.84 kg/, /refused 40401/].filter((expected) => !expected.test(stdout));
  const took = `${client} (${((performance.now() - started) / 1000).toFixed(1)} s)`;
  if (status === 0 && missed.length === 0) return { outcome: 'passed', line: `ok    ${took}` };
  const why = status === 0 ? `It did not print ${missed.join(', ')}` : `check.sh ended with ${status}`;
  return { outcome: 'failed', line: `FAIL  ${took}\n${why}:\n${stdout.slice(-5000)}${stderr.slice(-5000)}` };
}

const selected = clients.filter((client) => chosen.length === 0 || chosen.includes(client));
const unknown = chosen.filter((name) => !clients.includes(name));
if (unknown.length > 0) {
  console.error(`There is no client ${unknown.join(', ')}; there are ${clients.join(', ')}`);
  process.exit(2);
}

const started = performance.now();
process.once('exit', killPrograms);
process.once('SIGINT', () => process.exit(130));
const platform = await PlatformProcess.start({ env: { RATE_LIMITS: 'off' } });
let results: Result[] = [];
try {
  const { text } = await platform.client(null).call('/openapi.json');
  // Downloads of one overlap with what another builds.
  results = await Promise.all(selected.map((client) => check(client, platform, text)));
} finally {
  await platform.dispose();
}
const count = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length;
console.log(`\n${results.map(({ line }) => line).join('\n')}`);
if (count('skipped') > 0) console.log(`${count('skipped')} skipped`);
const examples = await runJest({
  project: 'unit',
  name: 'examples of the documentation',
  args: ['--testPathPatterns', '/tools/docs/src/(verify-examples|sdk-package)'],
  env: { TEST_CLIENTS: '1' },
});
say(`took ${((performance.now() - started) / 1000).toFixed(0)} s`);
const failed = count('failed') + examples.failed + (examples.ok || examples.failed > 0 ? 0 : 1);
console.log(`${count('passed') + examples.passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && results.length > 0 ? 0 : 1;
