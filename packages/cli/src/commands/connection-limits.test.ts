import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { OperatorConnection, OperatorConnectionChange } from '@parcelway/contracts/operator-connection-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

const parcelctl = parcelctlWithServer();
const changes = compileValidator(OperatorConnectionChange);

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'credentials-'));
  file = join(directory, 'credentials.json');
  writeFileSync(file, '{"key":"k"}');
});
afterEach(() => rmSync(directory, { recursive: true }));

const bodyOf = async (...args: string[]): Promise<unknown> => {
  parcelctl.server.succeed({ connection_id: 'ours' });
  expect(await parcelctl.run(['connection', ...args])).toMatchObject({ code: 0, err: '' });
  return parcelctl.server.seen.at(-1)?.body;
};

describe('limits of a connection', () => {
  test('are sent as they are named when it is added', async () => {
    const account = ['add', '--source', 'dhl', '--carriers', 'dhl', '--credentials-file', file];
    const limits = ['--requests-per-second', '0.5', '--calls-per-day', '100000000', '--fetches-per-parcel-per-day', '24'];
    const body = await bodyOf(...account, ...limits);
    expect(body).toMatchObject({ limits: { requests_per_second: 0.5, calls_per_day: 100_000_000, fetches_per_parcel_per_day: 24 } });
    expect(compileValidator(OperatorConnection).errors(body)).toEqual([]);
    expect(await bodyOf(...account, '--calls-per-day', '5000')).toMatchObject({ limits: { calls_per_day: 5000 } });
    expect(await bodyOf(...account)).not.toHaveProperty('limits');
  });

  test('are replaced, or are the standard ones again', async () => {
    const replaced = await bodyOf('update', 'ours', '--calls-per-day', '5000');
    const standard = await bodyOf('update', 'ours', '--standard-limits');
    expect([replaced, standard]).toEqual([{ limits: { calls_per_day: 5000 } }, { limits: null }]);
    expect([changes.errors(replaced), changes.errors(standard)]).toEqual([[], []]);
    expect(await bodyOf('update', 'ours', '--base-url', 'off')).toEqual({ base_url: null });
  });

  test.each([
    [['--calls-per-day', '5', '--standard-limits'], 'Give either limits or --standard-limits'],
    [['--calls-per-day', '0'], 'whole number'],
    [['--calls-per-day', '1.5'], 'whole number'],
    [['--fetches-per-parcel-per-day', '-1'], 'whole number'],
    [['--requests-per-second', '0'], 'number above 0'],
    [['--requests-per-second', '1e3'], 'number above 0'],
  ])('%j is refused without a call', async (options, message) => {
    expect(await parcelctl.run(['connection', 'update', 'ours', ...options])).toMatchObject({
      code: 2,
      err: expect.stringContaining(message),
    });
    expect(parcelctl.server.seen).toEqual([]);
  });

  test('are listed', async () => {
    const connections = [
      { connection_id: 'a', limits: { requests_per_second: 2, calls_per_day: 5000 } },
      { connection_id: 'b', limits: null },
    ];
    parcelctl.server.succeed({ connections });
    const { out } = await parcelctl.run(['connection', 'list']);
    expect(out).toMatch(/^a .* requests_per_second=2,calls_per_day=5000 {2}/m);
    expect(out).toMatch(/^b .* standard /m);
  });
});
