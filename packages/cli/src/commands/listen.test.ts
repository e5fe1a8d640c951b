import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type AdminServer, startAdminServer } from '../testing/admin-server.ts';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

const message = {
  event_id: 'evt_1',
  event_type: 'parcel.weighed',
  headers: { 'webhook-id': 'evt_1' },
  body: '{"type":"parcel.weighed"}',
};

const parcelctl = parcelctlWithServer();
let program: AdminServer;
let keys: string[];
let interrupt: (() => void) | undefined;
beforeEach(async () => {
  program = await startAdminServer();
  keys = [];
  // Nothing, one event, and then Ctrl-C.
  parcelctl.server.respondWith((req, res) => {
    keys.push(String(req.headers['x-api-key']));
    if (keys.length > 2) return interrupt?.();
    const messages = keys.length === 2 ? [message] : [];
    res.end(JSON.stringify({ code: '0', message: 'success', data: { secret: 'whsec_x', messages, next_cursor: 'c' } }));
  });
});
afterEach(() => program.close());

async function run(args: readonly string[] = [], env?: Record<string, string>) {
  const out: string[] = [];
  const done = await parcelctl.run(['listen', '--forward-to', program.url, ...args], {
    env: env ?? { PARCELWAY_BASE_URL: parcelctl.server.url, PARCELWAY_API_KEY: 'pf_test_1', DATA_DIR: parcelctl.directory },
    out: (text) => {
      out.push(text);
      if (text.includes('is unavailable')) interrupt?.();
    },
    onInterrupt: (stop) => {
      interrupt = stop;
      return () => {
        interrupt = undefined;
      };
    },
  });
  return { ...done, out: out.join('') };
}

describe('listen', () => {
  test('shows people what happens, and ends with Ctrl-C and a count', async () => {
    const { code, out, err } = await run();
    expect([code, err]).toEqual([0, '']);
    const at = String.raw`\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}`;
    expect(out).toMatch(
      new RegExp(
        `^Ready\\. Your webhook signing secret is whsec_x\\nForwarding to ${program.url} \\(press Ctrl-C to stop\\)\\n` +
          `${at}  --> parcel\\.weighed  evt_1\\n${at}  <-- 200 OK  \\d+ ms  evt_1\\n${at}  Stopped\\. 1 event accepted, 0 refused, 0 skipped\\.\\n$`,
      ),
    );
    expect(program.seen.map(({ text }) => text)).toEqual([message.body]);
    expect(interrupt).toBeUndefined();
  });

  test('prints one JSON object per line for programs', async () => {
    const { code, out } = await run(['--json']);
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    const notes = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(notes.map(({ type }) => type)).toEqual(['ready', 'event', 'response', 'end']);
    expect(notes[0]).toMatchObject({ secret: 'whsec_x', forward_to: program.url, time: expect.stringMatching(/Z$/) });
    expect(notes[2]).toMatchObject({ status: 200, event_id: 'evt_1', duration_ms: expect.any(Number) });
  });

  test('names its own option while the platform is away', async () => {
    const { code, out } = await run(['--base-url', 'http://127.0.0.1:1']);
    expect(code).toBe(0);
    expect(out).toContain('Cannot reach the platform at http://127.0.0.1:1 (ECONNREFUSED); check --base-url (unreachable)');
  });

  test('takes an address without http:// in front', async () => {
    const bare = program.url.replace('http://', '');
    expect((await run(['--forward-to', bare])).out).toContain(`Forwarding to ${program.url}`);
  });
});

describe('platform and key', () => {
  const quickstart = (content: object | string): void =>
    writeFileSync(join(parcelctl.directory, 'quickstart.json'), typeof content === 'string' ? content : JSON.stringify(content));

  test('are those of quickstart.json', async () => {
    quickstart({ base_url: parcelctl.server.url, ca_file: null, tenant: { api_key: 'pf_test_demo' } });
    expect((await run([], { DATA_DIR: parcelctl.directory })).code).toBe(0);
    expect(new Set(keys)).toEqual(new Set(['pf_test_demo']));
  });

  test('are those of the command line before the environment before quickstart.json', async () => {
    quickstart({ base_url: 'http://127.0.0.1:1', tenant: { api_key: 'pf_test_demo' } });
    const env = { DATA_DIR: parcelctl.directory, PARCELWAY_BASE_URL: 'http://127.0.0.1:1', PARCELWAY_API_KEY: 'pf_test_env' };
    expect((await run(['--base-url', parcelctl.server.url, '--api-key', 'pf_test_line'], env)).code).toBe(0);
    expect(new Set(keys)).toEqual(new Set(['pf_test_line']));
  });

  test('of one installation are not sent to another', async () => {
    quickstart({ base_url: 'http://127.0.0.1:1', tenant: { api_key: 'pf_test_demo' } });
    const { code, err } = await run([], { DATA_DIR: parcelctl.directory, PARCELWAY_BASE_URL: parcelctl.server.url });
    expect([code, keys]).toEqual([3, []]);
    expect(err).toContain('Use --api-key or PARCELWAY_API_KEY');
  });

  test.each<[string, string | object | undefined, Record<string, string>, number, RegExp]>([
    ['nowhere', undefined, {}, 3, /No sandbox in .*npm start/s],
    ['in a spoilt file', '{', {}, 3, /quickstart\.json is not JSON/],
    ['at an address that is none', undefined, { PARCELWAY_BASE_URL: 'nowhere', PARCELWAY_API_KEY: 'k' }, 2, /--base-url must be/],
    [
      'with certificates that are not there',
      undefined,
      { PARCELWAY_BASE_URL: 'https://a.example', PARCELWAY_API_KEY: 'k', PARCELWAY_CA_FILE: '/none' },
      2,
      /ENOENT/,
    ],
  ])('%s: the run ends and says what to do', async (_what, content, env, exitCode, words) => {
    if (content !== undefined) quickstart(content);
    const { code, err } = await run([], { DATA_DIR: parcelctl.directory, ...env });
    expect(code).toBe(exitCode);
    expect(err).toMatch(words);
  });
});

describe('a refusal', () => {
  test.each([
    [404, '40402', 'only in the sandbox'],
    [401, '40003', 'Check --api-key'],
    [403, '40301', 'webhooks:manage'],
    [404, '40403', 'Check --endpoint: parcelctl webhook list --tenant tnt_… shows'],
  ])('%i %s ends with 1 and says what to do', async (status, code, hint) => {
    parcelctl.server.fail(status, code, 'It is refused');
    const { code: exitCode, err } = await run();
    expect(exitCode).toBe(1);
    expect(err).toContain(`It is refused (${code}, request req_1)`);
    expect(err).toContain(hint);
  });

  test('of an address that is none comes before anything is asked', async () => {
    const { code, err } = await run(['--forward-to', 'ftp://a']);
    expect([code, keys]).toEqual([2, []]);
    expect(err).toMatch(/such as http:\/\/localhost:3000\/hook/);
  });
});
