import { beforeEach, expect, test } from '@jest/globals';
import type { Io } from '../command-context.ts';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

const parcelctl = parcelctlWithServer();
beforeEach(() => parcelctl.server.succeed({ tenant_id: 'tnt_1', forecast_days: 730, file_days: null }));

/** @param confirm absent: nobody can be asked */
const run = (args: readonly string[], confirm?: Io['confirm']) =>
  parcelctl.run(['tenant', 'retention', 'tnt_1', ...args], confirm ? { confirm } : {});
const methods = (): string[] => parcelctl.server.seen.map(({ method }) => method);

test('asks before a time is set, and says what it does', async () => {
  const asked: string[] = [];
  const confirm = async (question: string): Promise<boolean> => {
    asked.push(question);
    return true;
  };
  expect(await run(['--forecast-days', '30', '--file-days', '7'], confirm)).toMatchObject({ code: 0 });
  expect(await run(['--forecast-days', 'installation'], confirm)).toMatchObject({ code: 0 });
  const effect = 'What has ended longer ago is deleted, beginning within 10 minutes, and a longer time does not bring it back.';
  expect(asked).toEqual([
    `Keep of tnt_1 forecasts for 30 days instead of 730 days, and PDFs and photos for 7 days instead of the time of the installation? ${effect}`,
    `Keep of tnt_1 forecasts for the time of the installation instead of 730 days? ${effect}`,
  ]);
  expect(parcelctl.server.seen.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
    { forecast_days: 30, file_days: 7 },
    { forecast_days: null },
  ]);
});

test('changes nothing without a confirmation', async () => {
  expect(await run(['--forecast-days', '30'], async () => false)).toEqual({ code: 1, out: '', err: 'Nothing was changed.\n' });
  expect(methods()).toEqual(['GET']);
  expect(await run(['--file-days', '30'])).toMatchObject({ code: 2, err: expect.stringContaining('add --yes') });
  expect(methods()).toEqual(['GET']);
});

test('does not ask with --yes, nor when it only shows', async () => {
  const confirm = async (): Promise<boolean> => {
    throw new Error('Nobody is to be asked');
  };
  expect(await run(['--forecast-days', '30', '--yes'], confirm)).toMatchObject({ code: 0 });
  expect(methods()).toEqual(['PATCH']);
  expect(await run([], confirm)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/forecast_days +730\nfile_days +as the installation/),
  });
  expect(await run([])).toMatchObject({ code: 0 });
});
