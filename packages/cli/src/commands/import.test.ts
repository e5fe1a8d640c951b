import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { parcelctlWithServer } from '../testing/parcelctl-with-server.ts';

const running = {
  import_id: 'imp_1',
  state: 'running',
  phase: 'submitting',
  file_name: 'a.csv',
  validate_only: false,
  total: 4,
  accepted: 2,
  failed: 0,
  forecasts_accepted: 1,
  forecasts_failed: 0,
  columns: [],
  warnings: [],
  error: null,
  create_time: '2026-11-21T00:00:00Z',
  finish_time: null,
};
const done = { ...running, state: 'done', phase: 'finished', accepted: 3, failed: 1, forecasts_accepted: 2, forecasts_failed: 1 };
const row = {
  row: 5,
  po_number: 'P',
  state: 'failed',
  forecast_no: null,
  errors: [{ field: 'Qty', rule: 'type', message: 'Qty is wrong' }],
  warnings: [],
};

const parcelctl = parcelctlWithServer();
let file: string;
let looks: object[];
/** True when Ctrl-C is pressed at the first sign of progress. */
let interrupts: boolean;
beforeEach(() => {
  file = join(parcelctl.directory, 'a.csv');
  writeFileSync(file, 'PO\nP1');
  looks = [running, done];
  interrupts = false;
  parcelctl.server.respondWith((req, res) => {
    const format = /\/failed-rows\?format=(\w+)$/.exec(req.url ?? '')?.[1];
    if (format !== undefined) return res.end(`${format}: PO,error\nP1,wrong`);
    if (req.url?.endsWith('/cancel')) looks = [{ ...done, state: 'cancelled', failed: 0 }];
    const data = req.url?.includes('/rows') ? { rows: [row], next_cursor: null } : req.method === 'POST' ? running : looks[0];
    if (req.method === 'GET' && looks.length > 1 && !req.url?.includes('/rows')) looks.shift();
    res.end(JSON.stringify({ code: '0', message: 'success', data }));
  });
});

/** The form that was uploaded. */
const received = (): string => String(parcelctl.server.seen[0]?.body);

async function run(...args: readonly string[]) {
  const err: string[] = [];
  let stop: (() => void) | undefined;
  const done = await parcelctl.run(['import', ...args], {
    env: { PARCELWAY_BASE_URL: parcelctl.server.url, PARCELWAY_API_KEY: 'pf_test_1', DATA_DIR: parcelctl.directory },
    err(text) {
      err.push(text);
      if (interrupts) stop?.();
    },
    onInterrupt(given) {
      stop = given;
      return () => undefined;
    },
  });
  return { ...done, err: err.join('') };
}

describe('import', () => {
  test('uploads a file and ends', async () => {
    expect(await run(file)).toEqual({ code: 0, out: 'The import imp_1 has begun.\n', err: '' });
    expect(received()).toContain('filename="a.csv"');
    expect(received()).toContain('PO\nP1');
  });

  test('waits, shows a bar, and says which rows failed', async () => {
    const { code, out, err } = await run(file, '--wait');
    expect(code).toBe(1);
    expect(out).toBe('2 forecasts (3 rows) accepted.\n1 forecast (1 row) failed.\n  row 5: Qty is wrong\n');
    expect(err).toContain('[###############---------------] 2 of 4 rows, 0 failed');
    expect(err).toMatch(/4 of 4 rows, 1 failed\s*\n$/);
  });

  test('passes on mapping and validate-only, and writes the failed rows', async () => {
    const failed = join(parcelctl.directory, 'failed.csv');
    const { code, out } = await run(file, '--mapping', '{"Order":"po_number"}', '--validate-only', '--failed', failed);
    expect(code).toBe(1);
    expect(received()).toContain('name="mapping"\r\n\r\n{"Order":"po_number"}');
    expect(received()).toContain('name="validate_only"\r\n\r\ntrue');
    expect(readFileSync(failed, 'utf8')).toBe('csv: PO,error\nP1,wrong');
    expect(out).toContain(`The failed rows are in ${failed}`);
  });

  test('writes the failed rows in the format of the name', async () => {
    const failed = join(parcelctl.directory, 'failed.XLSX');
    await run(file, '--failed', failed);
    expect(readFileSync(failed, 'utf8')).toBe('xlsx: PO,error\nP1,wrong');
  });

  test('prints JSON alone', async () => {
    const { out, err } = await run(file, '--wait', '--json');
    expect([JSON.parse(out), err]).toEqual([done, '']);
  });

  test('says why a file cannot be imported', async () => {
    looks = [{ ...running, state: 'failed', phase: 'finished', error: { code: '42205', message: 'It is damaged' } }];
    expect(await run(file, '--wait')).toMatchObject({ code: 1, out: 'The file cannot be imported (42205): It is damaged\n' });
  });

  test('cancels the import on Ctrl-C', async () => {
    interrupts = true;
    looks = [running];
    const { code, out } = await run(file, '--wait');
    expect(code).toBe(0);
    expect(out).toContain('The import was cancelled');
  });

  test('says that a cancellation failed, and takes the next Ctrl-C', async () => {
    interrupts = true;
    looks = [running];
    let refusals = 0;
    parcelctl.server.respondWith((req, res) => {
      if (req.url?.endsWith('/cancel') && refusals === 0) {
        refusals += 1;
        res.statusCode = 403;
        return res.end(JSON.stringify({ code: '40302', message: 'The tenant is suspended', data: null }));
      }
      if (req.url?.endsWith('/cancel')) looks = [{ ...done, state: 'cancelled', failed: 0 }];
      res.end(JSON.stringify({ code: '0', message: 'success', data: req.method === 'POST' ? running : looks[0] }));
    });
    const { code, out, err } = await run(file, '--wait');
    expect(err).toContain('Cannot cancel the import: The tenant is suspended');
    expect([code, refusals]).toEqual([0, 1]);
    expect(out).toContain('The import was cancelled');
  });

  test.each([
    ['a file that is not there', ['none.csv'], 2, /Cannot read none.csv \(ENOENT\)/],
    ['a mapping that is no JSON', ['a.csv', '--mapping', 'x'], 2, /Enter a JSON object/],
    ['failed rows in a file that cannot be imported', ['a.csv', '--failed', 'failed.txt'], 2, /Enter the name of a .csv or .xlsx file/],
    ['a mapping that is a list', ['a.csv', '--mapping', '[]'], 2, /Enter a JSON object/],
  ])('refuses %s', async (_name, args, code, message) => {
    const result = await run(...args);
    expect([result.code, message.test(result.err)]).toEqual([code, true]);
  });

  test('passes on a refusal with a hint', async () => {
    parcelctl.server.fail(422, '42205', 'The file type is not allowed');
    expect(await run(file)).toMatchObject({
      code: 1,
      err: 'The file type is not allowed (42205, request req_1)\nSave the spreadsheet as .xlsx or .csv.\n',
    });
  });
});
