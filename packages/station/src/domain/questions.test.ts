import { describe, expect, test } from '@jest/globals';
import { candidateOf, forecastWith } from '../testing/parcels.ts';
import { Work } from '../testing/work.ts';
import type { Action } from './flow.ts';

const photo: Action = { type: 'photo', photo: { id: 'a', url: 'blob:a' } };
const opened = (): Work => new Work().open('SF123456', candidateOf(forecastWith()));

describe('an exception', () => {
  test('takes photos while it is described', () => {
    for (const lines of [['X'], ['X', '1']]) {
      const work = opened().do(...lines, 'C');
      expect([work.effects.at(-1), work.bench.flow]).toMatchObject([{ do: 'photo', from: 'camera' }, { question: {} }]);
    }
    const work = opened().do('X', '1', photo, 'Crushed');
    expect(work.effects.at(-1)).toMatchObject({ draft: { type: 'exception', text: 'Crushed' }, photos: [{ id: 'a' }] });
  });

  test('stays on the card once it is reported, the latest first', () => {
    const { flow } = opened().do('X', '1', 'Crushed', 'X', '2', '').bench;
    expect(flow).toMatchObject({ subject: { excepted: [{ reason: 'wrong_content' }, { reason: 'damaged', text: 'Crushed' }] } });
  });
});
