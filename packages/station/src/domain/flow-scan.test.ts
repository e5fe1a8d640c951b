import { describe, expect, test } from '@jest/globals';
import { candidateOf, forecastWith, found, Work } from '../testing/work.ts';
import { isProductCode } from './count.ts';
import type { Action } from './flow.ts';
import { openedUnasked } from './reporting.ts';

const byTracking = candidateOf(forecastWith());

describe('a scan', () => {
  test('reports the arrival once, and not of a parcel that is here', () => {
    const work = new Work().open('SF123456', byTracking).do({ type: 'escape' }).open('SF123456', byTracking);
    expect(work.reports()).toHaveLength(1);
    const here = new Work().open('SF123456', candidateOf(forecastWith({ status: 3 })));
    expect(here.reports()).toEqual([]);
  });

  test('carries the logistics number only where it is one', () => {
    expect(new Work().open('PO-1', candidateOf(forecastWith(), 'po_number')).reports()).toEqual([
      { type: 'arrival', forecast_no: 'FC001' },
    ]);
  });

  test('that fits several parcels is resolved by typing a number', () => {
    const second = candidateOf(forecastWith({ forecast_no: 'FC002' }));
    const work = new Work().do('SF123456', found('SF123456', byTracking, second), '3');
    expect([work.at, work.said]).toEqual(['choose', 'chooseNumber']);
    work.do('2');
    expect(work.effects.at(-1)).toEqual({ do: 'open', scan: 'SF123456', candidate: second });
  });

  test.each(['label', 'sscc', 'forecast_no', 'tracking_number', 'po_number'] as const)(
    'of the parcel (%s) opens it at once',
    (matchedBy) => {
      expect(new Work().open('340123450000000018', candidateOf(forecastWith(), matchedBy)).reports()).toMatchObject([{ type: 'arrival' }]);
    },
  );

  test.each(['barcode', 'sku_code'] as const)('of a product (%s) opens its one parcel only once Enter has confirmed it', (matchedBy) => {
    const scan = '4006381333931';
    const candidate = candidateOf(forecastWith(), matchedBy);
    for (const offline of [false, true]) {
      const work = new Work().do(scan, { type: 'looked-up', scan, candidates: [candidate], hasMore: false, offline });
      expect([work.at, work.effects]).toEqual(['choose', [{ do: 'lookup', scan }]]);
      // Scanned twice by mistake, it is looked up again, and asked again.
      work.do(scan, found(scan, candidate));
      expect([work.at, work.reports()]).toEqual(['choose', []]);
      expect([work.do('1').said, work.at]).toEqual(['enterConfirms', 'choose']);
      work.do('');
      expect(work.effects.at(-1)).toEqual({ do: 'open', scan, candidate });
      work.do({ type: 'opened', scan, candidate });
      expect(work.reports()).toEqual([{ type: 'arrival', forecast_no: 'FC001' }]);
    }
  });

  test('that fits several parcels, none of them right, is reported under its number', () => {
    const work = new Work().do('SF123456', found('SF123456', byTracking, byTracking), '0', '1', '3x2x1', '');
    expect(work.reports()).toMatchObject([
      { type: 'arrival', express_no: 'SF123456' },
      { type: 'weighing', express_no: 'SF123456' },
    ]);
  });

  test('that fits nothing can be weighed anyway, reported, or left', () => {
    const unknown = new Work().do('SF999999', found('SF999999'));
    expect(unknown.at).toBe('unknown');
    expect(unknown.do('').reports()).toEqual([{ type: 'arrival', express_no: 'SF999999' }]);
    const exception = new Work().do('SF999999', found('SF999999'), 'x');
    expect(exception.bench.flow).toMatchObject({ at: 'parcel', question: { ask: 'reason' } });
    expect(new Work().do('SF999999', found('SF999999'), { type: 'escape' }).at).toBe('scan');
    expect(new Work().do('SKU', found('SKU'), '').said).toBe('noNumber');
  });

  test('whose response comes late, after another scan, opens nothing', () => {
    const work = new Work().do('SF123456', { type: 'escape' }, 'SF777777', found('SF123456', byTracking));
    expect(work.bench.flow).toMatchObject({ at: 'looking', scan: 'SF777777' });
  });

  test('is asked for before a letter does anything', () => {
    expect(new Work().do('L').said).toBe('scanFirst');
    expect(new Work().do('r').effects).toEqual([{ do: 'reports' }]);
  });
});

const photo = (id: string): Action => ({ type: 'photo', photo: { id, url: `blob:${id}` } });

describe('weighing', () => {
  test('of a number that is scanned into the weight is refused as long as something is entered', () => {
    const work = new Work().open('SF123456', byTracking).do('420941097365');
    expect(work.effects.at(-1)).toEqual({ do: 'lookup', scan: '420941097365' });
    const entered = new Work().open('SF123456', byTracking).do('1.25', '420941097365');
    expect([entered.at, entered.said]).toEqual(['parcel', 'refusedAtSize']);
  });

  test('takes nothing but Enter or Escape after a scan that was refused: it may belong to the other parcel', () => {
    const work = new Work().open('SF123456', byTracking).do('1.25', '30x20x10', 'SF777777');
    expect(work.bench.notice).toMatchObject({ key: 'scanRefused', value: 'PO-1', detail: 'SF777777' });
    for (const line of ['9.9', '50x40x30', '=', 'D', 'SF777777', 'SF123456']) {
      expect([work.do(line).said, work.bench.flow]).toMatchObject(['scanRefused', { weightKg: 1.25, size: { lengthCm: 30 } }]);
    }
    work.do('');
    expect(work.reports().at(-1)).toMatchObject({ type: 'weighing', weight_kg: 1.25, length_cm: 30 });
  });

  test('goes on after a refused scan with what is typed, not with what lies on the scale', () => {
    const refused = (...lines: string[]) => new Work().open('SF123456', byTracking).do(photo('a'), ...lines, 'SF777777');
    const scale: Action = { type: 'reading', reading: { stable: true, kg: 9 } };
    const work = refused().do(scale, '');
    expect([work.said, work.bench.flow]).toMatchObject(['typeWeight', { at: 'parcel' }]);
    expect(work.bench.flow).not.toHaveProperty('weightKg');
    expect(work.do('1.25').bench.flow).toMatchObject({ weightKg: 1.25 });
    expect([refused('1.25').do('').said, refused('1.25').do({ type: 'escape' }).said]).toEqual(['typeSize', 'escapeAgain']);
    expect(refused('1.25').do({ type: 'escape' }, '2').bench.flow).toMatchObject({ at: 'parcel', photos: [{ id: 'a' }] });
    expect(refused('1.25').do({ type: 'escape' }, { type: 'escape' }).at).toBe('scan');
  });

  test('gives way to another parcel only for a number that is known', () => {
    const open = (line: string) => new Work().open('SF123456', byTracking).do(line, '9.9');
    const other = candidateOf(forecastWith({ forecast_no: 'FC002' }));
    expect(open('250000').do(found('250000', other)).effects.at(-1)).toMatchObject({ do: 'open', candidate: other });
    const mistyped = open('250000').do(found('250000'));
    expect([mistyped.said, mistyped.bench.flow]).toMatchObject(['noWeight', { at: 'parcel', subject: { scan: 'SF123456' } }]);
    expect(mistyped.bench.flow).not.toHaveProperty('weightKg');
    // A number that nobody announced: what was typed after it is of its parcel.
    const unknown = open('SF999999').do(found('SF999999'));
    expect(unknown.bench.notice).toMatchObject({ key: 'notKnown', value: 'PO-1', detail: 'SF999999' });
    expect(unknown.do('9.9').said).toBe('refusedAtWeight');
    expect(unknown.do('', '1.25').bench.flow).toMatchObject({ subject: { scan: 'SF123456' }, weightKg: 1.25 });
    expect(open('SF999999').do(found('SF999999'), { type: 'escape' }).at).toBe('scan');
    expect(open('SF999999').do({ type: 'lookup-failed', scan: 'SF999999' }).said).toBe('refusedAtWeight');
  });
});

const EAN = '4006381333931';
const offline = (scan: string): Action => ({ type: 'looked-up', scan, candidates: [], hasMore: false, offline: true });

describe('the code of a product', () => {
  test.each([
    EAN,
    '40063812',
    '012345678905',
    '04006381333931',
    '4006381-333931',
    ']E04006381333931',
    '(01)04006381333931',
    '0104006381333931',
    '(01)04006381333931(10)LOT1',
    ']d201040063813339311725123110LOT1',
    ']D201040063813339311725123110LOT1',
    '(01) 04006381333931',
    '01 04006381333931',
  ])('is %j', (scan) => expect(isProductCode(scan)).toBe(true));

  test.each([
    '4006381333932',
    '40063810',
    '123456',
    'SF4006381333931',
    '0104006381333932',
    '01040063813339311725',
    '00340123450000000018',
    'MUG',
    '',
  ])('is not %j', (scan) => expect(isProductCode(scan)).toBe(false));

  test.each([EAN, '(01)04006381333931'])('%j is refused without a network, and reports nothing', (scan) => {
    const work = new Work().do(scan, offline(scan));
    expect([work.at, work.bench.notice]).toMatchObject(['scan', { key: 'productOffline', tone: 'bad', value: scan }]);
    expect(work.do('', 'x').reports()).toEqual([]);
  });

  test('is taken without a network when a parcel that is known here declares it', () => {
    const candidate = candidateOf(forecastWith({ tracking_numbers: [EAN] }));
    const work = new Work().do(EAN, { type: 'looked-up', scan: EAN, candidates: [candidate], hasMore: false, offline: true });
    expect(work.effects.at(-1)).toEqual({ do: 'open', scan: EAN, candidate });
  });

  test('is reported as unclaimed only when somebody has said that it is the number of the carrier', () => {
    for (const line of ['', 'x']) {
      const work = new Work().do(EAN, found(EAN), line);
      expect([work.at, work.bench.notice, work.reports()]).toMatchObject(['unknown', { key: 'carriersNumber', value: EAN }, []]);
      work.do(line);
      expect([work.at, work.reports()]).toEqual(['parcel', [{ type: 'arrival', express_no: EAN }]]);
    }
    expect(new Work().do(EAN, found(EAN), '', { type: 'escape' }).at).toBe('scan');
    // The next scan is asked for again.
    expect(new Work().do(EAN, found(EAN), '', EAN, found(EAN), '').reports()).toEqual([]);
  });

  test.each([
    ['MUG-BLUE', 'sku_code'],
    [EAN, 'barcode'],
  ] as const)('%j of a parcel that is not meant is no number to report under', (scan, matchedBy) => {
    const work = new Work().do(scan, found(scan, candidateOf(forecastWith(), matchedBy)), '0');
    expect([work.at, work.said, work.reports()]).toEqual(['choose', 'productNumber', []]);
  });
});

test('a dispatch that a full device did not report is not said to be reported', () => {
  const work = new Work(() => 'offline').open('SF123456', byTracking).full().do('D', 'yunexpress', 'YT1234567890');
  expect([work.said, work.reports().slice(1)]).toEqual(['queueFull', []]);
});

test('a match that may have been guessed is not opened unasked, by whatever number', () => {
  for (const matchedBy of ['tracking_number', 'po_number'] as const) {
    const candidate = candidateOf(forecastWith(), matchedBy);
    expect(openedUnasked([candidate])).toBe(candidate);
    expect(openedUnasked([{ ...candidate, is_doubtful: true }])).toBeUndefined();
  }
});

test('on a full device no arrival is reported, and the parcel is not opened', () => {
  const work = new Work().full().open('SF123456', candidateOf(forecastWith()));
  expect([work.at, work.said, work.reports()]).toEqual(['scan', 'queueFull', []]);
});

test('a scan that was a wrong parcel has reported its arrival, which Escape says', () => {
  const leave = (forecast = forecastWith()) => new Work().open('SF123456', candidateOf(forecast)).do({ type: 'escape' }).said;
  expect([leave(), leave(forecastWith({ status: 2 }))]).toEqual(['putAsideArrived', 'putAside']);
});
