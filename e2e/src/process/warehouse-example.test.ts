import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { samplePng } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { useDirectory } from '../use-directory.ts';
import { useStageWithMerchant } from '../use-stage.ts';

/* The example in Python, each of its commands. */

const root = fileURLToPath(new URL('../../../', import.meta.url));
const DAY = '2026-03-14';

const { stage, merchant } = useStageWithMerchant();
const folder = useDirectory();

interface Run {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the example. @param env in place of the right address, key and certificate */
function run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Run {
  const { base_url, ca_file, warehouse } = stage.platform.quickstart;
  const right = { BASE: base_url, CA: ca_file, WAREHOUSE_KEY: warehouse.api_key };
  const { status, stdout, stderr, error } = spawnSync('python3', ['docs/examples/warehouse.py', ...words], {
    cwd: root,
    env: { PATH: process.env['PATH'], PYTHONDONTWRITEBYTECODE: '1', PYTHONIOENCODING: 'utf-8', ...right, ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (error) throw error;
  return { status, out: stdout, err: stderr };
}

/** What a command prints that has to succeed. */
function printed(...words: readonly string[]): string {
  const { status, out, err } = run(words);
  expect([words, err, status]).toEqual([words, '', 0]);
  return out;
}

/** A forecast that the warehouse expects and finds by its logistics number. */
async function expected(due_date = DAY): Promise<{ readonly forecast_no: string; readonly po_number: string; readonly number: string }> {
  const number = newPoNumber('TRK');
  const body = { ...(await merchant.body({ trackingNumber: number })), due_date };
  const { forecast_no, po_number } = (await merchant.submitBody(body)).data;
  await until(() => run(['lookup', number]).status === 0, { within: 15_000, what: 'the warehouse to know the parcel', everyMs: 200 });
  return { forecast_no, po_number, number };
}

/** Reports a weighing under a number that nobody has declared. @returns its event_id */
function weighUnknown(): string {
  const number = newPoNumber('LOST');
  const { status, out, err } = run(['weigh', number, '2', '10x10x10.5']);
  expect([status, err]).toEqual([0, `warning: No forecast for this warehouse declares "${number}"; the event waits for one\n`]);
  const [, eventId = ''] = /^(\S+) {2}waits \(no_forecast\)/.exec(out) ?? [];
  expect(printed('unclaimed')).toContain(`${eventId}  weighing  LOST`);
  return eventId;
}

// A machine without Python reports the tests as skipped, with what to install in their name.
const isHere = spawnSync('python3', ['--version']).status === 0;
const [describeOrSkip, needs] = isHere ? [describe, ''] : [describe.skip, '; needs python3, which is not installed here'];

describeOrSkip(`the example in Python${needs}`, () => {
  test('lists the parcels that are expected on a day, and looks one up', async () => {
    const parcel = await expected();
    const later = await expected('2026-03-15');
    const out = printed('list', DAY);
    expect(out).toContain(`${parcel.forecast_no}  ${parcel.po_number}  1 items  ${parcel.number.replaceAll('-', '')}\n`);
    expect(out).not.toContain(later.forecast_no);
    expect(printed('lookup', parcel.number)).toContain(`${parcel.forecast_no}  ${parcel.po_number}  ACCEPTED  (`);
    // Nothing is expected today.
    expect(printed('list')).toBe('');
  });

  test('weighs a parcel with a photo, and reads what became of it', async () => {
    const { forecast_no, po_number, number } = await expected();
    const photo = join(folder.path, 'weigher.png');
    writeFileSync(photo, samplePng('weigher'));
    expect(printed('weigh', number, '1.84', '30x20.5x12', photo)).toMatch(new RegExp(`^\\S+ {2}applied to ${forecast_no}\n$`));
    const weighing = await merchant.untilWeighing(po_number, ({ weight_kg }) => weight_kg === 1.84);
    expect(weighing).toMatchObject({ length_cm: 30, width_cm: 20.5, height_cm: 12 });
    const shown = await merchant.client.fetchBytes(String(weighing.weighing_images[0]?.image_url));
    expect(shown.bytes).toEqual(samplePng('weigher'));
  });

  test('claims a report that waits', async () => {
    const { forecast_no, po_number } = await expected();
    const eventId = weighUnknown();
    expect(printed('claim', eventId, forecast_no)).toBe(`${eventId}  applied to ${forecast_no}\n`);
    await merchant.untilWeighing(po_number, ({ weight_kg }) => weight_kg === 2);
    expect(printed('unclaimed')).not.toContain(eventId);
  });

  test.each<[what: string, words: string[], env: Record<string, string>, says: RegExp]>([
    ['a wrong key', ['list'], { WAREHOUSE_KEY: 'pf_test_x' }, /^error: 40003: .*\nSet WAREHOUSE_KEY to a key of this warehouse/],
    ['an untrusted certificate', ['list'], { CA: '' }, /certificate is not trusted .*Set CA to its file\./],
    ['a rejected event', ['weigh', 'A-1234', '0', '1x1x1'], {}, /rejected \(42201\).*\n.*weight_kg must be greater than 0/],
  ])('says of %s what to do', (_what, words, env, says) => {
    const { status, out, err } = run(words, env);
    expect([status, out]).toEqual([1, '']);
    expect(err).toMatch(says);
  });
});
