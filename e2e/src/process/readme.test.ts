import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from '@jest/globals';
import { samplePdf, samplePng } from '@parcelway/harness/sample-data';
import { freePort } from '@parcelway/kernel/free-port';
import { useDirectory } from '../use-directory.ts';
import { useStage } from '../use-stage.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const readme = readFileSync(join(root, 'README.md'), 'utf8');

/** The commands of the walk, one after the other. */
const commandsOf = (text: string): string => [...text.matchAll(/```bash\n([\s\S]*?)```/g)].map((match) => match[1]).join('\n');

const stage = useStage();
const directory = useDirectory();

beforeAll(() => {
  // The reader is in the checkout, where the data is in .data.
  symlinkSync(stage.platform.dataDirectory, join(directory.path, '.data'));
  mkdirSync(join(directory.path, 'docs'));
  symlinkSync(join(root, 'docs/examples'), join(directory.path, 'docs/examples'));
});

test('the step-by-step commands work as written in the README', async () => {
  const port = await freePort();
  // Port 3000 may be somebody's on this machine: the same commands with another one.
  const commands = commandsOf(readme).replaceAll('3000', String(port));
  // PORT is what the reader may have exported for the platform; the receiver is not to take it.
  const env = { ...process.env, RECEIVER_PORT: String(port), PORT: '8443', DATA_DIR: '' };
  // Without standard input: bash takes a socket there for a remote login and reads its start-up files.
  const run = spawnSync('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd: directory.path,
    env,
    encoding: 'utf8',
    timeout: 60_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(run.stderr).toBe('');
  expect(run.status).toBe(0);
  expect(run.stdout.match(/^idempotent-replayed: true\r?$/gim)).toHaveLength(1);
  const received = [...run.stdout.matchAll(/signature good (.*)$/gm)].map(([, body]) => JSON.parse(body as string) as { type: string });
  expect(received.map(({ type }) => type)).toEqual(['parcel.weighed', 'tracking.changed', 'tracking.changed']);
  expect(run.stdout).toContain('"weight_kg":1.84');
  expect(run.stdout).toContain('"is_terminal":true');
  expect(await stage.platform.client().expectOk('/open/v1/webhook-endpoints')).toEqual({ endpoints: [] });
}, 90_000);

test('a refused call ends the command that reads its response, with code and message', async () => {
  const helpers = /```bash\n(value\(\)[\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const commands = `${helpers}\nID=$(post /open/v1/webhook-endpoints '{}' | json endpoint_id) || echo "failed, ID is '$ID'"`;
  const run = spawnSync('bash', ['-c', commands], {
    cwd: directory.path,
    env: { ...process.env, DATA_DIR: '' },
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(run.stderr).toMatch(/^42201 .*url is required/);
  expect(run.stdout).toBe("failed, ID is ''\n");
});

/** Runs the example of a receiver, which is to refuse. @returns what it says */
function refusalOfReceiver(env: Readonly<Record<string, string>>): string {
  const run = spawnSync(process.execPath, [join(root, 'docs/examples/receiver.mjs')], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(run.status).toBe(1);
  return run.stderr;
}

test('the receiver says in one line how to avoid a port in use', async () => {
  const { port } = new URL(stage.platform.quickstart.admin.url);
  const said = refusalOfReceiver({ RECEIVER_PORT: port });
  expect(said).toBe(`Cannot listen on 127.0.0.1:${port} (EADDRINUSE): choose another port with RECEIVER_PORT.\n`);
});

test.each(['merchants', 'warehouses', 'webhooks'])('the curl lines of docs/%s.md work as written', (name) => {
  const blocksOf = (guide: string) =>
    [...readFileSync(join(root, `docs/${guide}.md`), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] as string);
  const isSetting = (block: string) => block.startsWith('value()');
  // A guide without settings of its own takes those of the merchants'.
  const setting = blocksOf(name).find(isSetting) ?? blocksOf('merchants').find(isSetting);
  const commands = [String(setting), ...blocksOf(name).filter((block) => block.startsWith('curl'))];
  expect(commands.length).toBeGreaterThan(1);
  writeFileSync(join(directory.path, 'label.pdf'), samplePdf('Label'));
  writeFileSync(join(directory.path, 'weigher.jpg'), samplePng('Weigher'));
  const env = { ...process.env, DATA_DIR: '' };
  const run = spawnSync('bash', ['-euo', 'pipefail', '-c', commands.join('\necho\n').replaceAll('curl ', 'curl -sS ')], {
    cwd: directory.path,
    env,
    encoding: 'utf8',
    timeout: 20_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  expect(run.stderr).toBe('');
  const codes = run.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).code);
  // What is saved in a file prints nothing.
  const printing = commands.slice(1).filter((block) => block.split(/^(?=curl )/m).some((command) => !command.includes(' -o ')));
  expect(codes).toEqual(printing.map(() => '0'));
});

test('the curl line of the banner works as pasted', () => {
  const line = /^ {2}(curl .*)$/m.exec(stage.platform.output)?.[1] ?? '';
  // Without standard input: bash takes a socket there for a remote login and reads its start-up files.
  const run = spawnSync('bash', ['-c', `${line} -sS`], { encoding: 'utf8', timeout: 20_000, cwd: process.cwd() });
  expect(JSON.parse(run.stdout)).toMatchObject({ code: '0', data: { warehouses: [{ code: stage.platform.quickstart.warehouse.code }] } });
});
