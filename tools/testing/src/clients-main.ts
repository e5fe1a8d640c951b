// `npm run check:clients`: generates clients of the API with the generators that merchants use, builds the package for Python, checks their
// types, and submits a forecast with each on an embedded platform; then runs the examples of the documentation, and packs the SDK. Options: names of folders in tools/testing/clients, to check only those. What
// it downloads and builds stays in .cache/clients and in the caches of the tools. The last line is `N passed, N failed`.

import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlatformProcess } from '@parcelway/harness/platform-process';
import { messageOf } from '@parcelway/tools-servers/caught-error';
import { say, step } from '@parcelway/tools-servers/progress';
import { endCommands, runCommand } from '@parcelway/tools-servers/run-command';
import { type Client, clients, limitsOf } from './clients.ts';
import { root, runJest } from './jest-run.ts';

const chosen = process.argv.slice(2);
type Outcome = 'passed' | 'failed' | 'skipped';

/** How a client fared, and the line that says so. */
interface Result {
  readonly client: Client;
  readonly outcome: Outcome;
  readonly line: string;
}

const inCi = process.env.CI === 'true';

/** What keeps a toolchain from running; undefined when it is there. */
async function missing(client: Client) {
  for (const command of client.needs) {
    try {
      await runCommand(command, { deadlineMs: 60_000 });
    } catch {
      return `needs ${client.install}`;
    }
  }
  return undefined;
}

/** An empty folder with the program of a client and the document; what its tools have downloaded stays. */
function prepare(client: Client, document: string) {
  const work = join(root, '.cache', 'clients', client.folder);
  mkdirSync(work, { recursive: true });
  for (const generated of ['parcelway', 'parcelway_client', 'generated', 'built', 'target', 'package', 'dist']) {
    rmSync(join(work, generated), { recursive: true, force: true });
  }
  for (const folder of ['parcelway', 'generated']) mkdirSync(join(work, folder));
  cpSync(join(root, 'tools', 'testing', 'clients', client.folder), work, { recursive: true });
  if (client.source !== undefined) {
    const source = join(root, client.source);
    // Without what checks and builds by hand leave beside the sources.
    const filter = (from: string) => !/\/(__pycache__|dist|\.[a-z_]+)(\/|$)/.test(from.slice(source.length));
    cpSync(source, join(work, 'package'), { recursive: true, filter });
  }
  writeFileSync(join(work, 'openapi.json'), document);
  return work;
}

async function check(client: Client, platform: PlatformProcess, document: string): Promise<Result> {
  const started = performance.now();
  const seconds = () => ((performance.now() - started) / 1000).toFixed(1);
  try {
    const reason = await missing(client);
    if (reason !== undefined && (client.isOptional === true || !inCi))
      return { client, outcome: 'skipped', line: `skip  ${client.name}: ${reason}` };
    if (reason !== undefined) throw new Error(reason);
    const work = prepare(client, document);
    for (const command of client.steps) {
      await step(`${client.folder}: ${command.slice(0, 3).join(' ')}`, () => runCommand(command, limitsOf(client, work)));
    }
    const { base_url: baseUrl, ca_file: caFile, tenant, warehouse } = platform.quickstart;
    const env = {
      PARCELWAY_BASE_URL: baseUrl,
      PARCELWAY_CA_FILE: caFile,
      PARCELWAY_API_KEY: tenant.api_key,
      PARCELWAY_WAREHOUSE_CODE: warehouse.code,
      NODE_EXTRA_CA_CERTS: caFile,
    };
    const output = await step(`${client.folder}: submits a forecast`, () => runCommand(client.run, limitsOf(client, work, env)));
    for (const expected of [/submitted \S+/, /weighed 1\.84 kg/, /refused 40401/]) {
      if (!expected.test(output)) throw new Error(`The program did not print ${expected}:\n${output}`);
    }
    return { client, outcome: 'passed', line: `ok    ${client.name} (${seconds()} s)` };
  } catch (error) {
    return { client, outcome: 'failed', line: `FAIL  ${client.name} (${seconds()} s)\n${messageOf(error)}` };
  }
}

const selected = clients.filter(({ folder }) => chosen.length === 0 || chosen.includes(folder));
const unknown = chosen.filter((name) => !clients.some(({ folder }) => folder === name));
if (unknown.length > 0) {
  console.error(`There is no client ${unknown.join(', ')}; there are ${clients.map(({ folder }) => folder).join(', ')}`);
  process.exit(2);
}

const started = performance.now();
process.once('SIGINT', () => {
  endCommands();
  process.exit(130);
});
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
