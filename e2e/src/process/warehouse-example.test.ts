import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
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

/** A forecast whose item has a field of its own. @returns its number */
async function forecastWith(field: Readonly<Record<string, string>>): Promise<string> {
  const body = await merchant.body();
  const [item] = body.items as object[];
  return (await merchant.submitBody({ ...body, items: [{ ...item, ...field }] })).data.forecast_no;
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

  test('lists more parcels than a page has', async () => {
    const due_date = '2026-03-16';
    const bodies = await Promise.all(Array.from({ length: 101 }, async () => ({ ...(await merchant.body()), due_date })));
    const numbers: string[] = [];
    for (const body of bodies) numbers.push((await merchant.submitBody(body)).data.forecast_no);
    const listed = (): string[] => printed('list', due_date).split('\n').slice(0, -1);
    // A list that is read while parcels arrive may have one twice.
    const allOf = (lines: string[]) => new Set(lines).size >= numbers.length && lines;
    const lines = await until(() => allOf(listed()), { within: 60_000, what: '101 parcels', everyMs: 500 });
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual(numbers.sort());
  }, 120_000);

  test('saves the product label of a parcel', async () => {
    const { forecast_no, number } = await expected();
    const file = join(folder.path, 'label.pdf');
    await until(() => run(['label', number, file]).status === 0, { within: 15_000, what: 'the product label', everyMs: 200 });
    expect(printed('label', forecast_no, file)).toMatch(new RegExp(`^${forecast_no}: \\d+ bytes in `));
    expect(readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-');
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

  test('dismisses a report that waits', () => {
    const eventId = weighUnknown();
    expect(printed('dismiss', eventId, 'Returned to the carrier')).toBe(`${eventId}  dismissed  Returned to the carrier\n`);
    expect(printed('unclaimed')).not.toContain(eventId);
  });

  describe('an error says what to do', () => {
    test.each<[what: string, words: string[], env: Record<string, string>, says: RegExp]>([
      ['no command', [], {}, /^A warehouse's bench.*warehouse\.py weigh SCAN KG LxWxH \[PHOTO\]/s],
      ['too few words', ['weigh', 'A'], {}, /warehouse\.py weigh SCAN KG LxWxH/],
      ['no key', ['list'], { WAREHOUSE_KEY: '' }, /^error: WAREHOUSE_KEY is not set\. Set it to the key of the warehouse\.$/m],
      ['a wrong key', ['list'], { WAREHOUSE_KEY: 'pf_test_x' }, /^error: 40003: .*\nSet WAREHOUSE_KEY to a key of this warehouse/],
      ['no address', ['list'], { BASE: '' }, /BASE is not set\. Set it to the address/],
      ['an address without TLS', ['list'], { BASE: 'http://localhost' }, /begins with https:/],
      [
        'an address that leads nowhere',
        ['list'],
        { BASE: 'https://127.0.0.1:1' },
        /127\.0\.0\.1:1 cannot be reached .*Check BASE and the network\./,
      ],
      ['an untrusted certificate', ['list'], { CA: '' }, /certificate is not trusted .*Set CA to its file\./],
      ['a certificate that is not there', ['list'], { CA: '/nowhere.pem' }, /CA names \/nowhere\.pem.*Name a PEM file\./],
      ['a scan of no parcel', ['lookup', 'NOBODY-KNOWS'], {}, /No parcel of this warehouse has NOBODY-KNOWS\. Scan another code/],
      ['a weight with a unit', ['weigh', 'A-1234', '2kg', '1x1x1'], {}, /KG is 2kg\. Give a number/],
      ['two sides', ['weigh', 'A-1234', '2', '1x1'], {}, /LxWxH is 1x1\. Give three numbers/],
      ['a rejected event', ['weigh', 'A-1234', '0', '1x1x1'], {}, /rejected \(42201\).*\n.*weight_kg must be greater than 0/],
      ['a photo that is not there', ['weigh', 'A-1234', '2', '1x1x1', '/nowhere.png'], {}, /\/nowhere\.png cannot be read .*Name a JPEG/],
      ['a photo that is none', ['weigh', 'A-1234', '2', '1x1x1', 'README.md'], {}, /^error: 42205: .*\nSend a JPEG, PNG or WebP\.$/m],
      ['a report that nobody made', ['claim', 'nobody', 'FC1'], {}, /^error: 40403: .*\nCheck the number/],
      ['a wrong day', ['list', 'today'], {}, /^error: 42201: .*due_from/],
    ])('%s', (_what, words, env, says) => {
      const { status, out, err } = run(words, env);
      expect([status, out]).toEqual([1, '']);
      expect(err).toMatch(says);
    });

    test('a key that cannot read', async () => {
      const { key } = await stage.operator.issueKey({ warehouse_code: stage.clerk.code }, { scopes: ['warehouse:write'] });
      expect(run(['list'], { WAREHOUSE_KEY: key }).err).toMatch(/^error: 40301: .*\nAsk the operator for a new key/);
    });

    test('a scan that may be several parcels', async () => {
      const barcode = '6901234567892';
      const numbers = [await forecastWith({ barcode }), await forecastWith({ barcode })];
      const all = await until(
        () => {
          const { err } = run(['lookup', barcode]);
          return numbers.every((number) => err.includes(`\n  ${number}  `)) ? err : undefined;
        },
        { within: 15_000, what: 'both parcels', everyMs: 200 },
      );
      expect(all).toMatch(/^error: 6901234567892 may be any of these parcels; name one by its forecast_no:\n/);
    });
  });
});
