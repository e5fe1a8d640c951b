import { describe, expect, test } from '@jest/globals';
import { candidateOf, forecastWith } from '../testing/parcels.ts';
import { found, Work } from '../testing/work.ts';
import type { Action } from './flow.ts';

const photo = (id: string): Action => ({ type: 'photo', photo: { id, url: `blob:${id}` } });
const byTracking = candidateOf(forecastWith());

describe('weighing', () => {
  test('takes four lines: scan, weight, size, Enter', () => {
    const work = new Work().open('SF123456', byTracking).do('1.25', '30x20x10', '');
    expect(work.reports()).toEqual([
      { type: 'arrival', forecast_no: 'FC001', express_no: 'SF123456' },
      {
        type: 'weighing',
        forecast_no: 'FC001',
        express_no: 'SF123456',
        weight_kg: 1.25,
        length_cm: 30,
        width_cm: 20,
        height_cm: 10,
      },
    ]);
    expect(work.at).toBe('saving');
    work.do({ type: 'kept' });
    expect([work.at, work.said]).toEqual(['scan', 'saved']);
  });

  test('takes the weight of the scale when it rests', () => {
    const work = new Work().open('SF123456', byTracking);
    work.do({ type: 'reading', reading: { stable: false, kg: 1.1 } }, '');
    expect(work.said).toBe('scaleMoving');
    work.do({ type: 'reading', reading: { stable: true, kg: 1.234 } }, '', '30 20 10', '');
    expect(work.reports().at(-1)).toMatchObject({ type: 'weighing', weight_kg: 1.234 });
  });

  test('knows the size of the last parcel', () => {
    const work = new Work().open('SF123456', byTracking).do('1', '30x20x10', '', { type: 'kept' });
    work.open('SF777777', candidateOf(forecastWith({ forecast_no: 'FC002' }))).do('2', '=', '');
    expect(work.reports().at(-1)).toMatchObject({ forecast_no: 'FC002', length_cm: 30, width_cm: 20, height_cm: 10 });
  });

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

  test.each([
    ['200', 'heavy'],
    ['', 'typeWeight'],
    ['SF 123-456', 'sameParcel'],
  ])('the line %j for a weight gets %s', (line, said) => {
    expect(new Work().open('SF123456', byTracking).do(line).said).toBe(said);
  });

  test.each(['1.25o', '-1', '0.0'])('of %j is no weight, and leaves the parcel where it is', (line) => {
    const work = new Work().open('SF123456', byTracking).do(line);
    expect([work.said, work.at, work.effects.length]).toEqual([
      'noWeight',
      'parcel',
      new Work().open('SF123456', byTracking).effects.length,
    ]);
    expect(work.do('1.25', line).said).toBe('badSize');
    expect([work.do('30x20x10', line).said, work.bench.flow]).toMatchObject(['noWeight', { weightKg: 1.25 }]);
  });

  test.each(['30x20', '0x1x1', '30x20x1o', '30x20x10000'])('with the size %j shows how a size is typed', (line) => {
    const work = new Work().open('SF123456', byTracking).do(line);
    expect([work.bench.notice, work.at]).toMatchObject([{ key: 'badSize', value: '1000' }, 'parcel']);
    expect([work.do('1.25', line).said, work.do('30x20x10').said]).toEqual(['badSize', undefined]);
    expect([work.do(line).said, work.bench.flow]).toMatchObject(['badSize', { size: { heightCm: 10 } }]);
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

  test('is taken after a word that can be no number', () => {
    const work = new Work().open('SF123456', byTracking).do('abc', found('abc'));
    expect([work.said, work.do('1,5').bench.flow]).toMatchObject(['noWeight', { weightKg: 1.5 }]);
  });

  test('of 200 kg is taken with its unit', () => {
    const { flow } = new Work().open('SF123456', byTracking).do('200 kg').bench;
    expect(flow).toMatchObject({ weightKg: 200 });
  });

  test('asks to look at a side of over four metres', () => {
    expect(new Work().open('SF123456', byTracking).do('1', '401x20x10').said).toBe('bigSide');
  });

  test('keeps what was entered when the device has no room', () => {
    const work = new Work().open('SF123456', byTracking).do('1.25', '30x20x10', '', { type: 'not-kept' });
    expect(work.bench.flow).toMatchObject({ at: 'parcel', weightKg: 1.25 });
    expect(work.said).toBe('notKept');
    const full = new Work().open('SF123456', byTracking).do({ type: 'full', full: true }, '1.25', '30x20x10', '');
    expect([full.at, full.said]).toEqual(['parcel', 'queueFull']);
  });

  test('keeps lines that are typed while a parcel is looked up or stored', () => {
    const work = new Work().do('SF123456', '1.25', '30x20x10', '', found('SF123456', byTracking));
    work.do({ type: 'opened', scan: 'SF123456', candidate: byTracking });
    expect(work.reports()).toMatchObject([{ type: 'arrival' }, { type: 'weighing', weight_kg: 1.25 }]);
    work.do('SF777777', { type: 'kept' });
    expect(work.effects.at(-1)).toEqual({ do: 'lookup', scan: 'SF777777' });
  });
});

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

  test('that fits several parcels is settled by a number', () => {
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

  test('of markup is a scan like any other', () => {
    const scan = '<img src=x onerror=alert(1)>';
    expect(new Work().do(scan).effects).toEqual([{ do: 'lookup', scan }]);
  });

  test('is asked for before a letter does anything', () => {
    expect(new Work().do('L').said).toBe('scanFirst');
    expect(new Work().do('r').effects).toEqual([{ do: 'reports' }]);
  });
});

describe('letters', () => {
  test('print documents that there are', () => {
    const work = new Work().open('SF123456', byTracking).do('L', 'q');
    expect(work.printed()).toEqual(['https://example.com/files/label.pdf', 'https://example.com/files/product.pdf?copies=quantity']);
    expect(work.do('K').said).toBe('noDocument');
  });

  test('report an exception with the photos taken so far', () => {
    const work = new Work().open('SF123456', byTracking).do(photo('a'), 'X', '1', 'One corner is crushed');
    expect(work.effects.at(-1)).toMatchObject({
      do: 'report',
      draft: { type: 'exception', forecast_no: 'FC001', reason: 'damaged', text: 'One corner is crushed' },
      photos: [{ id: 'a' }],
    });
    expect(work.bench.flow).toMatchObject({ at: 'parcel', photos: [] });
  });

  test('hold a parcel, and release it', () => {
    const work = new Work().open('SF123456', byTracking).do('H', '');
    expect(work.bench.flow).toMatchObject({ subject: { forecast: { on_hold: true } } });
    work.do('H');
    expect(work.reports().slice(1)).toMatchObject([{ type: 'hold' }, { type: 'release' }]);
  });

  test('show why a parcel is on hold until it is released', () => {
    const work = new Work().open('SF123456', byTracking).do('H', 'Customs papers are missing');
    expect(work.bench.flow).toMatchObject({ subject: { holdReason: 'Customs papers are missing', forecast: { on_hold: true } } });
    expect(work.do('H').bench.flow).not.toHaveProperty('subject.holdReason');
    // Without words, those of a former hold are not shown either.
    expect(work.do('H', '').bench.flow).toMatchObject({ subject: { holdReason: '' } });
  });

  test('dispatch no parcel on hold before it is released', () => {
    const work = new Work().open('SF123456', candidateOf(forecastWith({ on_hold: true, status: 3 }))).do('D');
    expect([work.bench.notice, work.reports()]).toMatchObject([{ key: 'releaseFirst', value: 'PO-1' }, []]);
    expect(work.bench.flow).not.toHaveProperty('question');
    work.do('H', 'D', 'yunexpress', 'YT1234567890');
    expect(work.reports()).toMatchObject([{ type: 'release' }, { type: 'dispatch' }]);
    expect(new Work().open('SF123456', byTracking).do('H', '', 'D').said).toBe('releaseFirst');
  });

  test('dispatch a parcel of direct mail, and no other', () => {
    const work = new Work().open('SF123456', byTracking).do('D', 'not a carrier', 'yunexpress', 'YT1234567890');
    expect(work.reports().at(-1)).toMatchObject({ type: 'dispatch', carrier_code: 'yunexpress', tracking_number: 'YT1234567890' });
    expect(work.at).toBe('scan');
    const stock = new Work().open('SF123456', candidateOf(forecastWith({ forecast_type: 1 }))).do('D');
    expect(stock.said).toBe('noDispatch');
  });

  test('the carrier of the last dispatch is taken with Enter', () => {
    const work = new Work().open('SF123456', byTracking).do('D', 'yunexpress', 'YT1234567890');
    work.open('SF777777', candidateOf(forecastWith({ forecast_no: 'FC002' }))).do('D', '', 'YT2222222222');
    expect(work.reports().at(-1)).toMatchObject({ carrier_code: 'yunexpress', tracking_number: 'YT2222222222' });
  });

  test('end a parcel without a weighing, with its photos', () => {
    const work = new Work().open('SF123456', byTracking).do(photo('a'), photo('b'), 'E');
    expect(work.reports().slice(1)).toMatchObject([
      { type: 'photo', image_type: 'package', image_order: 0 },
      { type: 'photo', image_type: 'package', image_order: 1 },
    ]);
    expect(new Work().open('SF123456', byTracking).do('1.25', 'E').said).toBe('finishFirst');
  });
});

describe('Escape', () => {
  test('asks before it discards what was entered', () => {
    const work = new Work().open('SF123456', byTracking).do('1.25', photo('a'), { type: 'escape' });
    expect([work.at, work.said]).toEqual(['parcel', 'escapeAgain']);
    work.do({ type: 'escape' });
    expect([work.at, work.effects.at(-1)]).toEqual(['scan', { do: 'drop-photos', photos: [{ id: 'a', url: 'blob:a' }] }]);
  });

  test('is forgotten when the work goes on', () => {
    const work = new Work().open('SF123456', byTracking).do('1.25', { type: 'escape' }, '30x20x10', { type: 'escape' });
    expect([work.at, work.said]).toEqual(['parcel', 'escapeAgain']);
  });

  test('leaves a question, not the parcel', () => {
    const { flow } = new Work().open('SF123456', byTracking).do('X', { type: 'escape' }).bench;
    expect(flow).toMatchObject({ at: 'parcel' });
    expect(flow).not.toHaveProperty('question');
  });
});

test('photos are bounded, and one that comes when its parcel has gone is dropped', () => {
  const work = new Work().open('SF123456', byTracking).do(...Array.from({ length: 21 }, (_, index) => photo(String(index))));
  expect([work.said, work.effects.at(-1)]).toEqual(['tooManyPhotos', { do: 'drop-photos', photos: [{ id: '20', url: 'blob:20' }] }]);
  expect(new Work().do(photo('late')).effects).toEqual([{ do: 'drop-photos', photos: [{ id: 'late', url: 'blob:late' }] }]);
});
