import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, jest, test } from '@jest/globals';

/* The examples of the documentation that verify webhooks, each run in its own language. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const examples = join(root, 'docs/examples/verify');
/** Programs that read cases from standard input, run an example on each, and print which it accepts. */
const programs = fileURLToPath(new URL('./testing/verify', import.meta.url));

/** A webhook on which an example decides. */
interface Case {
  readonly secret: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Seconds since 1970 at which it is verified. */
  readonly now: number;
}

/** Runs an example on cases. @returns for each whether it was accepted */
type Run = (cases: readonly Case[]) => Promise<boolean[]> | boolean[];

/** The signed webhook that the documentation shows. */
function documentedVector(): Case {
  const [, block = ''] =
    /<!-- generated: signature-vector -->\n\n```text\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/webhooks.md'), 'utf8')) ?? [];
  const value = (name: string): string => new RegExp(`^${name} +(.*)$`, 'm').exec(block)?.[1] ?? '';
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const headers = Object.fromEntries(names.map((name) => [name, value(name)]));
  return { secret: value('secret'), headers, body: value('body'), now: Number(value('webhook-timestamp')) };
}

const vector = documentedVector();
const withHeaders = (headers: Record<string, string>): Case => ({ ...vector, headers: { ...vector.headers, ...headers } });
const without = (name: string): Case => ({
  ...vector,
  headers: Object.fromEntries(Object.entries(vector.headers).filter(([key]) => key !== name)),
});
const stranger = `v1,${Buffer.alloc(32, 7).toString('base64')}`;
const signature = String(vector.headers['webhook-signature']);

const cases: readonly (readonly [what: string, isGood: boolean, given: Case])[] = [
  ['the documented webhook', true, vector],
  ['a body that was changed', false, { ...vector, body: vector.body.replace('"status":3', '"status":4') }],
  ['a body that was written again', false, { ...vector, body: JSON.stringify(JSON.parse(vector.body), null, 1) }],
  ['an id that was changed', false, withHeaders({ 'webhook-id': 'evt_other' })],
  ['a timestamp that was changed', false, withHeaders({ 'webhook-timestamp': String(vector.now + 1) })],
  ['a timestamp of 5 minutes ago', true, { ...vector, now: vector.now + 299 }],
  ['an old timestamp', false, { ...vector, now: vector.now + 302 }],
  ['a timestamp that is to come', false, { ...vector, now: vector.now - 302 }],
  ['a timestamp that is no number', false, withHeaders({ 'webhook-timestamp': 'yesterday' })],
  ['two signatures, as during a rotation, of which the first fits', true, withHeaders({ 'webhook-signature': `${signature} ${stranger}` })],
  ['two signatures of which the second fits', true, withHeaders({ 'webhook-signature': `${stranger} ${signature}` })],
  ['two signatures of which none fits', false, withHeaders({ 'webhook-signature': `${stranger} ${stranger}` })],
  ['another secret', false, { ...vector, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` }],
  ['the beginning of a signature', false, withHeaders({ 'webhook-signature': 'v1,' })],
  ['no signature', false, without('webhook-signature')],
  ['no timestamp', false, without('webhook-timestamp')],
  ['no id', false, without('webhook-id')],
];

const directory = mkdtempSync(join(tmpdir(), 'verify-examples-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
afterEach(() => {
  jest.restoreAllMocks();
});

/** What a program prints that gets the cases as JSON. @throws Error when it fails */
function runProgram(command: string, args: readonly string[], given: readonly Case[], cwd = directory): boolean[] {
  // Nothing is fetched: the examples need nothing beyond their language.
  const env = { ...process.env, GOPROXY: 'off', GOTOOLCHAIN: 'local', PYTHONDONTWRITEBYTECODE: '1' };
  const run = spawnSync(command, args, { cwd, input: JSON.stringify(given), encoding: 'utf8', timeout: 300_000, env });
  if (run.status !== 0) throw new Error(`${command} ended with ${run.status}: ${run.stderr}`, { cause: run.error });
  return JSON.parse(run.stdout) as boolean[];
}

function runGo(given: readonly Case[]): boolean[] {
  const module = join(directory, 'go');
  mkdirSync(join(module, 'webhooks'), { recursive: true });
  writeFileSync(join(module, 'go.mod'), 'module example\n\ngo 1.21\n');
  cpSync(join(programs, 'main.go'), join(module, 'main.go'));
  cpSync(join(examples, 'verify_webhook.go'), join(module, 'webhooks/verify_webhook.go'));
  return runProgram('go', ['run', '.'], given, module);
}

/** Java reads no JSON by itself, so the cases reach it as lines. */
function runJava(given: readonly Case[]): boolean[] {
  const folder = join(directory, 'java');
  mkdirSync(folder, { recursive: true });
  cpSync(join(programs, 'Run.java'), join(folder, 'Run.java'));
  cpSync(join(examples, 'VerifyWebhook.java'), join(folder, 'VerifyWebhook.java'));
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  const lines = given.map(({ secret, headers, body, now }) => {
    const pairs = Object.entries(headers).map(([name, value]) => `${name}=${value}`);
    return `${encoded(secret)} ${encoded(pairs.join('\n'))} ${encoded(body)} ${now}`;
  });
  const compiled = spawnSync('javac', ['Run.java', 'VerifyWebhook.java'], { cwd: folder, encoding: 'utf8', timeout: 120_000 });
  if (compiled.status !== 0) throw new Error(`javac ended with ${compiled.status}: ${compiled.stderr}`, { cause: compiled.error });
  const run = spawnSync('java', ['Run'], { cwd: folder, input: lines.join('\n'), encoding: 'utf8', timeout: 120_000 });
  if (run.status !== 0) throw new Error(`java ended with ${run.status}: ${run.stderr}`, { cause: run.error });
  return JSON.parse(run.stdout) as boolean[];
}

type Receive = (
  body: string,
  headers: object,
  secret: string,
  handle: (event: { type: string }) => void,
  options?: { now: Date },
) => number;

/** Runs an example in Node, in this process, with its clock put to the time of the case. */
const runNode =
  (file: string): Run =>
  async (given) => {
    const { receive } = (await import(pathToFileURL(join(examples, file)).href)) as { receive: Receive };
    jest.spyOn(console, 'warn').mockImplementation(() => undefined);
    return given.map(({ body, headers, secret, now }) => {
      jest.spyOn(Date, 'now').mockReturnValue(now * 1000);
      const types: string[] = [];
      const status = receive(body, headers, secret, (event) => void types.push(event.type), { now: new Date(now * 1000) });
      expect([status, types]).toEqual(status === 204 ? [204, ['parcel.weighed']] : [401, []]);
      return status === 204;
    });
  };

/** Sources of the client for Python. */
const clientForPython = join(root, 'clients/python/src');

/** Language → how its example runs, and the command without which it cannot. */
const languages: Readonly<Record<string, readonly [run: Run, command?: string]>> = {
  'Node with the SDK': [runNode('node-sdk.mjs')],
  'Node with standardwebhooks': [runNode('node.mjs')],
  'Python with the client': [
    (given) => runProgram('python3', [join(programs, 'run_client.py'), examples, clientForPython], given),
    'httpx2',
  ],
  Python: [(given) => runProgram('python3', [join(programs, 'run.py'), examples], given), 'python3'],
  Go: [runGo, 'go'],
  Java: [runJava, 'javac'],
  PHP: [(given) => runProgram('php', [join(programs, 'run.php'), examples], given), 'php'],
};

/** True when a command is here, or the package of Python that the client needs. */
function isHere(command?: string): boolean {
  if (command === 'httpx2') return spawnSync('python3', ['-c', 'import httpx2']).status === 0;
  return command === undefined || !spawnSync(command, [command === 'go' ? 'version' : '--version']).error;
}

test('the documentation has its webhook to try a verification with', () => {
  expect(vector).toMatchObject({ secret: expect.stringMatching(/^whsec_/), body: expect.stringMatching(/^\{.*\}$/) });
  expect(Object.values(vector.headers).every((value) => value !== '')).toBe(true);
});

test('the documented webhook is past, so that every verification refuses it for the same reason', () => {
  expect(vector.now * 1000).toBeLessThan(Date.parse('2026-01-01T00:00:00Z'));
});

describe.each(Object.entries(languages))('the example in %s', (_name, [run, command]) => {
  // A language that this machine lacks is reported as skipped, with the program to install in the name of the test.
  const [runOrSkip, needs] = isHere(command) ? [test, ''] : [test.skip, `; needs ${command}, which is not installed here`];
  runOrSkip(
    `accepts what is good and refuses everything else${needs}`,
    async () => {
      const accepted = await run(cases.map(([, , given]) => given));
      const found = cases.map(([what], index) => [what, accepted[index]]);
      expect(found).toEqual(cases.map(([what, isGood]) => [what, isGood]));
    },
    300_000,
  );
});
