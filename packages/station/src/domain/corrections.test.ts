import { describe, expect, test } from '@jest/globals';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { candidateOf, detailWith, forecastWith, itemWith, Work } from '../testing/work.ts';
import { changesBetween } from './corrections.ts';
import type { Action } from './flow.ts';

const before = detailWith({
  status: 2,
  items: [itemWith({ forecast_quantity: 2 })],
  shipping_note: 'https://example.com/files/note.pdf',
  packing_slip: 'https://example.com/files/slip.pdf',
});
const NEW_LABEL = 'https://example.com/files/label-2.pdf';

/** The parcel after a correction of its label. */
const after = (changes: Partial<WarehouseForecastDetail> = {}): WarehouseForecastDetail => ({
  ...before,
  version: 2,
  marketplace_label_version: 2,
  shipping_label: NEW_LABEL,
  ...changes,
});

const candidate = candidateOf(forecastWith({ status: 2 }));
const opened = (again?: ConstructorParameters<typeof Work>[0]): Work => new Work(again).open('SF123456', candidate, before);
const read = (detail: WarehouseForecastDetail): Action => ({ type: 'read-again', forecastNo: 'FC001', why: 'corrected', detail });
const checked = (detail: WarehouseForecastDetail): Action => ({ type: 'read-again', forecastNo: 'FC001', why: 'check', detail });

const printedOf = (kind: 'label' | 'packing-list' | 'product-label', version: number, unseen = false): Action => ({
  type: 'printed',
  document: { forecastNo: 'FC001', kind, version },
  unseen,
});

const parcelOf = ({ bench: { flow } }: Work) => (flow.at === 'parcel' ? flow : undefined);
const alarmOf = (work: Work) => parcelOf(work)?.alarm;

describe('a correction of the parcel on the bench', () => {
  test('raises the alarm, and keeps what was typed, photographed and counted', () => {
    const work = opened().do('N', '2', '', '1.25', '30x20x10', { type: 'photo', photo: { id: 'a', url: 'blob:a' } });
    work.do(printedOf('label', 1), read(after({ due_date: '2026-12-01', items: [itemWith({ forecast_quantity: 5 })] })));
    expect(work.bench.flow).toMatchObject({
      at: 'parcel',
      weightKg: 1.25,
      size: { lengthCm: 30 },
      photos: [{ id: 'a' }],
      counted: [{ sku_code: 'SKU-1', quantity: 2 }],
      subject: { forecast: { version: 2, due_date: '2026-12-01' }, detail: { shipping_label: NEW_LABEL } },
      alarm: { changes: [{ field: 'shipping_label' }, { field: 'due_date' }, { field: 'items', sku: 'SKU-1', from: '2', to: '5' }] },
    });
  });

  test('leaves a question and what was half refused as they are, and no mark on an item that has gone', () => {
    expect(opened().do('X', read(after())).bench.flow).toMatchObject({ question: { ask: 'reason' }, alarm: {} });
    expect(opened().do('1.25', 'SF777777', read(after())).do('9').said).toBe('refusedAtSize');
    const { flow } = opened()
      .do('N', read(after({ items: [itemWith({ sku_code: 'SKU-2' })] })))
      .do('3').bench;
    expect(flow).not.toHaveProperty('counted');
  });

  test('does not undo an arrival, a hold or a release that waits on the device', () => {
    const arriving = new Work().open('SF123456', candidateOf(forecastWith()));
    expect(arriving.do(read(after({ status: 1 }))).bench.flow).toMatchObject({ subject: { forecast: { status: 2 } } });
    const held = opened().do('H', '', read(after()));
    expect(held.bench.flow).toMatchObject({ subject: { forecast: { on_hold: true } } });
    // Once the platform has shown it, the platform counts.
    held.do(read(after({ on_hold: true })), read(after()));
    expect(held.bench.flow).toMatchObject({ subject: { forecast: { on_hold: false } } });
  });

  test('is not taken back by a replica that is behind, nor is another parcel touched', () => {
    const work = opened().do(read(after()), read(before));
    expect(work.bench.flow).toMatchObject({ subject: { forecast: { version: 2 }, detail: { shipping_label: NEW_LABEL } } });
    const other = opened().do({ type: 'read-again', forecastNo: 'FC002', why: 'corrected', detail: after() });
    expect(alarmOf(other)).toBeUndefined();
  });
});

describe('the alarm', () => {
  test('stays until somebody has seen it, and holds the parcel on the bench', () => {
    const work = opened().do('1.25', '30x20x10', read(after()));
    expect([work.do('').said, work.at]).toEqual(['correctedFirst', 'parcel']);
    work.do('o');
    expect(alarmOf(work)).toBeUndefined();
    expect([work.do('').at, work.do({ type: 'not-kept' }, 'O').said]).toEqual(['saving', 'notCorrected']);
  });

  test.each(['E', 'SF777777', { type: 'escape' } as const])('%j does not end the work before it was seen', (line) => {
    expect(alarmOf(opened().do(read(after()), line))).toBeDefined();
  });

  test('ends when what was printed before is printed again, with the new label', () => {
    const work = opened().do(printedOf('label', 1), printedOf('product-label', 1), read(after()));
    expect(alarmOf(work.do(printedOf('label', 2)))).toBeDefined();
    expect(alarmOf(work.do(printedOf('product-label', 1)))).toBeDefined();
    expect(alarmOf(work.do(printedOf('product-label', 2)))).toBeUndefined();
    expect(alarmOf(opened().do(read(after()), printedOf('packing-list', 2)))).toBeDefined();
  });

  test('reports two corrections as one', () => {
    const work = opened().do(read(after({ due_date: '2026-12-01' })), read(after({ version: 3, due_date: '2026-12-02' })));
    expect(alarmOf(work)?.changes).toEqual([{ field: 'shipping_label' }, { field: 'due_date', from: '–', to: '2026-12-02' }]);
  });

  test('is raised when a parcel comes back that was printed before its correction', () => {
    const work = opened().do(printedOf('label', 1), { type: 'escape' }).open('SF123456', candidate, after());
    expect(alarmOf(work)).toEqual({ changes: [] });
    work.do({ type: 'seen' }, { type: 'escape' }).open('SF123456', candidate, after());
    expect(alarmOf(work)).toBeUndefined();
  });
});

describe('what a correction has changed', () => {
  const known = { forecast: before, detail: before };
  test.each<[Partial<WarehouseForecastDetail>, object[]]>([
    [{ shipping_label: 'https://example.com/other.pdf' }, [{ field: 'shipping_label' }]],
    [{ shipping_note: 'https://example.com/other.pdf' }, [{ field: 'shipping_note' }]],
    [{ due_date: '2026-12-01' }, [{ field: 'due_date', from: '–', to: '2026-12-01' }]],
    [{ carton_count: 3 }, [{ field: 'carton_count', from: '–', to: '3' }]],
    [{ tracking_numbers: ['SF9'] }, [{ field: 'tracking_numbers', from: 'SF123456', to: 'SF9' }]],
    [
      { items: [itemWith({ forecast_quantity: 1 }), itemWith({ sku_code: 'SKU-2', forecast_quantity: 4 })] },
      [
        { field: 'items', sku: 'SKU-1', from: '2', to: '1' },
        { field: 'items', sku: 'SKU-2', from: '0', to: '4' },
      ],
    ],
    [{ items: [itemWith({ forecast_quantity: 2, hs_code: '691200' })] }, [{ field: 'items' }]],
    [{}, [{ field: 'other' }]],
  ])('%j', (changes, expected) => {
    expect(changesBetween(known, { ...before, ...changes })).toEqual(expected);
  });

  test('is taken from the list where nothing else was known', () => {
    expect(changesBetween({ forecast: before }, { ...before, shipping_label: null, item_count: 2 })).toEqual([
      { field: 'items', from: '1', to: '2' },
    ]);
  });
});

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
    const work = opened(() => after()).do('L');
    expect(work.effects.at(-1)).toEqual({
      do: 'print',
      kind: 'label',
      url: NEW_LABEL,
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
    work.do(checked(before));
    expect([work.printed().length, parcelOf(work)]).toMatchObject([1, { weightKg: 1.25, size: { lengthCm: 30 }, photos: [{ id: 'a' }] }]);
  });

  test('unless a correction has come: they were meant for the parcel as it was', () => {
    const work = opened(() => 'later').do('L', '1.25', checked(after()));
    expect(work.bench.notice).toMatchObject({ key: 'corrected', detail: '“1.25”' });
    expect(parcelOf(work)).not.toHaveProperty('weightKg');
  });

  test('and Escape cancels it', () => {
    const work = opened(() => 'later').do('L', { type: 'escape' }, checked(after()));
    expect([work.at, work.printed()]).toEqual(['parcel', []]);
  });
});

describe('before a dispatch, the parcel is read again', () => {
  const toDispatch = ['D', 'yunexpress', 'YT1234567890'] as const;

  test('and leaves when it is as it was', () => {
    const work = opened(() => 'later').do(...toDispatch, 'SF777777');
    expect(work.reports()).toEqual([]);
    work.do(checked(before));
    expect([work.reports(), work.effects.at(-1)]).toMatchObject([[{ type: 'dispatch' }], { do: 'lookup', scan: 'SF777777' }]);
  });

  test('and is asked about when it was corrected: neither Enter nor what was scanned ahead lets it go', () => {
    const work = opened(() => 'later').do(...toDispatch, 'SF777777', checked(after()));
    expect([work.reports(), work.bench.notice, parcelOf(work)?.question]).toMatchObject([
      [],
      { key: 'corrected', detail: '“SF777777”' },
      { ask: 'corrected', handover: { carrier: 'yunexpress' } },
    ]);
    for (const line of ['', 'SF777777', 'O']) expect([work.do(line).said, work.reports()]).toEqual(['confirmCorrected', []]);
    work.do('D', checked(after()));
    expect([work.at, work.reports()]).toMatchObject(['scan', [{ type: 'dispatch', tracking_number: 'YT1234567890' }]]);
  });

  test('and Escape leads back to print again', () => {
    const work = opened(() => after()).do(...toDispatch, { type: 'escape' }, 'L');
    expect([work.reports(), work.printed(), parcelOf(work)?.alarm]).toEqual([[], [NEW_LABEL], expect.anything()]);
  });

  test('and is asked about at once while the alarm is on view', () => {
    const work = opened().do(read(after()), 'D');
    expect(parcelOf(work)?.question).toEqual({ ask: 'corrected' });
    expect(work.do('D', 'yunexpress', 'YT1234567890').reports()).toMatchObject([{ type: 'dispatch' }]);
  });

  test('and leaves without the platform, which is said', () => {
    const work = opened(() => 'offline').do(...toDispatch);
    expect([work.said, work.at, work.reports()]).toMatchObject(['dispatchUnchecked', 'scan', [{ type: 'dispatch' }]]);
  });
});
