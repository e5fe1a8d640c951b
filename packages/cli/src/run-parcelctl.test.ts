import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parcelctlWithServer } from './testing/parcelctl-with-server.ts';

const parcelctl = parcelctlWithServer();

describe('output', () => {
  test('--version prints the version, without a platform', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string };
    expect(await parcelctl.run(['--version'], { env: {} })).toEqual({ code: 0, out: `${version}\n`, err: '' });
  });

  test('a second tenant of one name comes with a warning', async () => {
    const created = { id: 'tnt_2', name: 'Acme', status: 'active', create_time: 'now' };
    parcelctl.server.succeed({ ...created, warnings: [{ field: 'name', message: 'Another tenant has the same name: tnt_1' }] });
    expect((await parcelctl.run(['tenant', 'create', '--name', 'Acme'])).out).toMatch(
      /tnt_2[\s\S]*\nWarning: Another tenant has the same name: tnt_1\n$/,
    );
    parcelctl.server.succeed({ ...created, warnings: [] });
    expect((await parcelctl.run(['tenant', 'create', '--name', 'Acme'])).out).not.toMatch(/warning/i);
  });

  test('of status names what is not ready, with exit code 1', async () => {
    const data = { status: 'not ready', services: { gateway: 'ready', webhook: 'not ready' } };
    parcelctl.server.fail(503, '50301', 'Temporarily unavailable; try again', data);
    const people = await parcelctl.run(['status']);
    expect([people.code, people.out]).toEqual([1, 'Not ready: Temporarily unavailable; try again\ngateway  ready\nwebhook  not ready\n']);
    const machine = await parcelctl.run(['status', '--json']);
    expect([machine.code, JSON.parse(machine.out)]).toEqual([1, data]);
  });
});

describe('help', () => {
  test('is not a failure, and says how the platform is found', async () => {
    const { code, out, err } = await parcelctl.run(['--help']);
    expect([code, err]).toEqual([0, '']);
    for (const word of ['PARCEL_ADMIN_URL', 'DATA_DIR', 'Exit codes', 'tenant', 'dlq']) expect(out).toContain(word);
    expect((await parcelctl.run(['webhook', 'replay', '--help'])).out).toContain('--since <time>');
  });
});
