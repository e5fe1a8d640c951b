import { describe, expect, test } from '@jest/globals';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { candidateOf, detailWith, forecastWith, Work } from '../testing/work.ts';

const before = detailWith({
  status: 2,
  shipping_note: 'https://example.com/files/note.pdf',
  packing_slip: 'https://example.com/files/slip.pdf',
});
const after: WarehouseForecastDetail = {
  ...before,
  version: 2,
  marketplace_label_version: 2,
  shipping_label: 'https://example.com/files/label-2.pdf',
  marketplace_label: 'https://example.com/files/product-2.pdf',
};
const candidate = candidateOf(forecastWith({ status: 2 }));
const opened = (again?: ConstructorParameters<typeof Work>[0]): Work => new Work(again).open('SF123456', candidate, before);
const read = (detail?: WarehouseForecastDetail) =>
  ({ type: 'read-again', forecastNo: 'FC001', why: 'check', ...(detail && { detail }) }) as const;
const parcelOf = ({ bench: { flow } }: Work) => (flow.at === 'parcel' ? flow : undefined);

describe('before a document is printed, the parcel is read again', () => {
  test.each([
    ['L', before.shipping_label],
    ['K', before.shipping_note],
    ['P', before.marketplace_label],
    ['Q', `${before.marketplace_label}?copies=quantity`],
    ['S', before.packing_slip],
  ])('%s, unchanged', (letter, url) => {
    const work = opened().do(letter);
    expect([work.printed(), work.said]).toEqual([[url], undefined]);
    expect(work.effects.at(-2)).toEqual({ do: 'read', forecastNo: 'FC001', why: 'check' });
  });

  test('and what has changed meanwhile is printed, with an alarm that this print does not end', () => {
    const work = opened(() => after).do('L');
    expect(work.effects.at(-1)).toEqual({
      do: 'print',
      kind: 'label',
      url: after.shipping_label,
      forecastNo: 'FC001',
      version: 2,
      unseen: true,
    });
    work.do({ type: 'printed', document: { forecastNo: 'FC001', kind: 'label', version: 2 }, unseen: true });
    expect([work.said, parcelOf(work)?.alarm]).toEqual(['corrected', { changes: [{ field: 'shipping_label' }] }]);
  });

  test('and without the platform what is known is printed, which may be old', () => {
    const work = opened(() => 'offline').do('L');
    expect([work.printed(), work.said]).toEqual([[before.shipping_label], 'documentUnchecked']);
  });

  test('which gives a parcel that was opened offline its documents', () => {
    const offline = { type: 'opened', scan: 'SF123456', candidate } as const;
    const found = { type: 'looked-up', scan: 'SF123456', candidates: [candidate], hasMore: false, offline: true } as const;
    expect(new Work(() => before).do('SF123456', found, offline, 'L').printed()).toEqual([before.shipping_label]);
    expect(new Work().do('SF123456', found, offline, 'L').said).toBe('documentUnknown');
  });

  test('and lines that are typed meanwhile are taken afterwards', () => {
    const work = opened(() => 'later').do('L', '1.25', '30x20x10', { type: 'photo', photo: { id: 'a', url: 'blob:a' } });
    expect(parcelOf(work)).not.toHaveProperty('weightKg');
    work.do(read(before));
    expect([work.printed().length, parcelOf(work)]).toMatchObject([1, { weightKg: 1.25, size: { lengthCm: 30 }, photos: [{ id: 'a' }] }]);
  });

  test('unless a correction has come: they were meant for the parcel as it was', () => {
    const work = opened(() => 'later').do('L', '1.25', read(after));
    expect(work.bench.notice).toMatchObject({ key: 'corrected', detail: '“1.25”' });
    expect(parcelOf(work)).not.toHaveProperty('weightKg');
  });

  test('and Escape cancels it', () => {
    const work = opened(() => 'later').do('L', { type: 'escape' }, read(after));
    expect([work.at, work.printed()]).toEqual(['parcel', []]);
  });
});

describe('before a dispatch, the parcel is read again', () => {
  const toDispatch = ['D', 'yunexpress', 'YT1234567890'] as const;

  test('and leaves when it is as it was', () => {
    const work = opened(() => 'later').do(...toDispatch, 'SF777777');
    expect(work.reports()).toEqual([]);
    work.do(read(before));
    expect([work.reports(), work.effects.at(-1)]).toMatchObject([[{ type: 'dispatch' }], { do: 'lookup', scan: 'SF777777' }]);
  });

  test('and is asked about when it was corrected: neither Enter nor what was scanned ahead lets it go', () => {
    const work = opened(() => 'later').do(...toDispatch, 'SF777777', read(after));
    expect([work.reports(), work.bench.notice, parcelOf(work)?.question]).toMatchObject([
      [],
      { key: 'corrected', detail: '“SF777777”' },
      { ask: 'corrected', handover: { carrier: 'yunexpress' } },
    ]);
    for (const line of ['', 'SF777777', 'O']) expect([work.do(line).said, work.reports()]).toEqual(['confirmCorrected', []]);
    work.do('D', read(after));
    expect([work.at, work.reports()]).toMatchObject(['scan', [{ type: 'dispatch', tracking_number: 'YT1234567890' }]]);
  });

  test('and Escape leads back to print again', () => {
    const work = opened(() => after).do(...toDispatch, { type: 'escape' }, 'L');
    expect([work.reports(), work.printed(), parcelOf(work)?.alarm]).toEqual([[], [after.shipping_label], expect.anything()]);
  });

  test('and is asked about at once while the alarm is on view', () => {
    const work = opened().do({ ...read(after), why: 'corrected' }, 'D');
    expect(parcelOf(work)?.question).toEqual({ ask: 'corrected' });
    expect(work.do('D', 'yunexpress', 'YT1234567890').reports()).toMatchObject([{ type: 'dispatch' }]);
  });

  test('and leaves without the platform, which is said', () => {
    const work = opened(() => 'offline').do(...toDispatch);
    expect([work.said, work.at, work.reports()]).toMatchObject(['dispatchUnchecked', 'scan', [{ type: 'dispatch' }]]);
  });
});
