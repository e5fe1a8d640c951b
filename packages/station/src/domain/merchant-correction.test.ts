import { describe, expect, test } from '@jest/globals';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { candidateOf, detailWith, forecastWith, itemWith, Work } from '../testing/work.ts';
import { changesBetween } from './corrections.ts';
import type { Action } from './flow.ts';

const before = detailWith({ status: 2, items: [itemWith({ forecast_quantity: 2 })] });
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
const listed: Action = { type: 'listed', forecastNo: 'FC001', version: 2 };
const read = (detail: WarehouseForecastDetail): Action => ({ type: 'read-again', forecastNo: 'FC001', why: 'corrected', detail });

const printedOf = (kind: 'label' | 'packing-list' | 'product-label', version: number, unseen = false): Action => ({
  type: 'printed',
  document: { forecastNo: 'FC001', kind, version },
  unseen,
});

const alarmOf = ({ bench: { flow } }: Work) => (flow.at === 'parcel' ? flow.alarm : undefined);

describe('a correction of the parcel on the bench', () => {
  test('is read when the list shows it, once for each version', () => {
    const work = opened(() => 'later').do(listed);
    expect(work.effects.at(-1)).toEqual({ do: 'read', forecastNo: 'FC001', why: 'corrected' });
    const effects = work.do(read(after())).effects.length;
    expect(work.do(listed, { ...listed, forecastNo: 'FC002' }).effects).toHaveLength(effects);
  });

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

describe('correction changes', () => {
  const before = detailWith({ items: [itemWith({ forecast_quantity: 2 })] });

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
});
