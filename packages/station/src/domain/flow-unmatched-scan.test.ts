import { describe, expect, test } from '@jest/globals';
import { candidateOf, forecastWith } from '../testing/parcels.ts';
import { found, Work } from '../testing/work.ts';

const byTracking = candidateOf(forecastWith());

describe('a scan', () => {
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
