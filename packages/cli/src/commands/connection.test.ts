import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { OperatorConnection, OperatorConnectionChange } from '@parcelway/contracts/operator-connection-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

const parcelctl = parcelctlWithServer();
const PATH = '/admin/v1/carrier-connections';
const credentials = { key: 's3cret' };

let file: string;
beforeEach(() => {
  file = join(parcelctl.directory, 'credentials.json');
  writeFileSync(file, JSON.stringify(credentials));
});

describe('parcelctl connection', () => {
  test('add sends what the options say, and the credentials of a file', async () => {
    parcelctl.server.succeed({ connection_id: 'ours', credential_names: ['key'] });
    const args = [
      '--source',
      '17track',
      '--carriers',
      'ups,dhl',
      '--credentials-file',
      file,
      '--id',
      'ours',
      '--base-url',
      'http://127.0.0.1:1',
      '--requests-per-second',
      '0.5',
      '--calls-per-day',
      '100000000',
    ];
    const { code, out, err } = await parcelctl.run(['connection', 'add', ...args]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Test it: parcelctl connection test ours');
    expect(out).not.toContain('s3cret');
    const body = {
      id: 'ours',
      source: '17track',
      base_url: 'http://127.0.0.1:1',
      carriers: ['ups', 'dhl'],
      credentials,
      limits: { requests_per_second: 0.5, calls_per_day: 100_000_000 },
    };
    expect(parcelctl.server.seen).toMatchObject([{ method: 'POST', url: PATH, body }]);
    expect(compileValidator(OperatorConnection).errors(parcelctl.server.seen[0]?.body)).toEqual([]);
  });

  test('add reads the credentials from standard input', async () => {
    const input = Readable.from([Buffer.from('{"key":"from'), Buffer.from(' input"}')]);
    const { code } = await parcelctl.run(['connection', 'add', '--source', 'dhl', '--carriers', '*', '--credentials-file', '-'], { input });
    expect([code, parcelctl.server.seen[0]?.body]).toEqual([0, { source: 'dhl', carriers: ['*'], credentials: { key: 'from input' } }]);
  });

  test('update changes only what is named; off means the address of the vendor', async () => {
    writeFileSync(file, '{"previous_key":null}');
    await parcelctl.run(['connection', 'update', 'a/b', '--credentials-file', file, '--base-url', 'off']);
    const body = { credentials: { previous_key: null }, base_url: null };
    expect(parcelctl.server.seen).toMatchObject([{ method: 'PATCH', url: `${PATH}/a%2Fb`, body }]);
    expect(compileValidator(OperatorConnectionChange).errors(parcelctl.server.seen[0]?.body)).toEqual([]);
    await parcelctl.run(['connection', 'update', 'ours', '--standard-limits']);
    expect(parcelctl.server.seen.at(-1)?.body).toEqual({ limits: null });
  });

  test.each([
    ['works', 0],
    ['access_denied', 1],
    ['unavailable', 1],
  ])('test of a connection that is %s ends with %i', async (result, exitCode) => {
    parcelctl.server.succeed({ connection_id: 'ours', result, message: 'What to do next' });
    const { code, out } = await parcelctl.run(['connection', 'test', 'ours']);
    expect([code, out]).toEqual([exitCode, expect.stringMatching(new RegExp(`${result}[^]*What to do next`))]);
    expect(parcelctl.server.seen).toMatchObject([{ method: 'POST', url: `${PATH}/ours/test` }]);
  });

  test('list shows where each is set', async () => {
    const common = { source: 'dhl', carriers: ['dhl', 'ups'], credential_names: ['key', 'push_token'] };
    const connections = [
      { ...common, connection_id: 'ours', base_url: null, configured: true },
      { ...common, connection_id: 'con_1', base_url: 'http://127.0.0.1:1', configured: false, limits: { calls_per_day: 5 } },
    ];
    parcelctl.server.succeed({ connections });
    expect((await parcelctl.run(['connection', 'list'])).out).toBe(
      [
        'CONNECTION  SOURCE  CARRIERS  CREDENTIALS     ADDRESS             LIMITS           SET IN',
        "ours        dhl     dhl,ups   key,push_token  the vendor's own    standard         TRACKING_SOURCES",
        'con_1       dhl     dhl,ups   key,push_token  http://127.0.0.1:1  calls_per_day=5  the store',
        '',
      ].join('\n'),
    );
    expect(JSON.parse((await parcelctl.run(['connection', 'list', '--json'])).out)).toEqual({ connections });
    parcelctl.server.succeed({ connections: [] });
    expect((await parcelctl.run(['connection', 'list'])).out).toContain('There are no connections');
  });

  test('list names credentials that cannot be read, and what to do', async () => {
    const common = { source: 'dhl', carriers: ['*'], base_url: null, configured: false };
    const lost = { ...common, connection_id: 'con_lost', credential_names: [] };
    const ours = { ...common, connection_id: 'ours', credential_names: ['key'] };
    parcelctl.server.succeed({ connections: [ours, lost] });
    const { out } = await parcelctl.run(['connection', 'list']);
    expect(out).toMatch(/^con_lost +dhl +\* +unreadable /m);
    expect(out).toMatch(/^ours +dhl +\* +key /m);
    expect(out).toMatch(/\n\nunreadable: .*CREDENTIALS_SECRET_PREVIOUS.*connection update.*\n$/);
    parcelctl.server.succeed({ connections: [ours] });
    expect((await parcelctl.run(['connection', 'list'])).out).not.toContain('unreadable');
  });
});

describe('credentials', () => {
  const add = (from: string) => parcelctl.run(['connection', 'add', '--source', 'dhl', '--carriers', '*', '--credentials-file', from]);

  test.each(['s3cret', '["s3cret"]', 'null', '{"key":1}', `{"key":"${'s3cret'.repeat(12_000)}"}`])(
    'of a wrong file are refused without showing them: %#',
    async (content) => {
      writeFileSync(file, content);
      const { code, err } = await add(file);
      expect([code, err]).toEqual([2, expect.stringContaining(`${file} has no credentials`)]);
      expect(err).not.toContain('s3cret');
      expect(parcelctl.server.seen).toEqual([]);
    },
  );

  test('of a file that is not there, and without standard input, are refused', async () => {
    expect(await add(join(parcelctl.directory, 'none'))).toMatchObject({ code: 2, err: expect.stringContaining('ENOENT') });
    expect(await add('-')).toMatchObject({ code: 2, err: expect.stringContaining('no standard input') });
  });
});
