import { describe, expect, test } from '@jest/globals';
import { candidateOf, forecastWith } from '../testing/parcels.ts';
import { found, Work } from '../testing/work.ts';

const byTracking = candidateOf(forecastWith());

describe('weighing', () => {
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

  test('is taken after a word that can be no number', () => {
    const work = new Work().open('SF123456', byTracking).do('abc', found('abc'));
    expect([work.said, work.do('1,5').bench.flow]).toMatchObject(['noWeight', { weightKg: 1.5 }]);
  });
});
