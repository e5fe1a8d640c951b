import { describe, expect, test } from '@jest/globals';
import { viewForecast } from '../../testing/view-samples.ts';
import type { ViewForecast } from './forecast-copy.ts';
import { decideMove, idsOf, moveOf, type ViewMove } from './view-move.ts';

const at = (warehouseCode: string, version: number): ViewForecast => {
  const forecast = viewForecast({ warehouseCode });
  return { ...forecast, content: forecast.content && { ...forecast.content, version } };
};
const move = moveOf(at('WH1', 2), at('WH2', 3)) as ViewMove;
const decide = (left?: number, reached?: number) => {
  const known = Object.entries({ 'FC1 WH1': left, 'FC1 WH2': reached }).flatMap(([id, version]) =>
    version === undefined ? [] : [[id, { version }] as const],
  );
  return decideMove(move, new Map(known)).map(({ id, version, shown }) => [id, version, shown?.isMoved ?? null]);
};

test('a forecast moves when its warehouse changes, and depends on the moves of both warehouses', () => {
  expect(moveOf(at('WH1', 1), at('WH1', 2))).toBeUndefined();
  expect(moveOf(undefined, at('WH1', 1))).toBeUndefined();
  expect(idsOf(move)).toEqual(['FC1 WH1', 'FC1 WH2']);
});

describe('a move', () => {
  test('is shown at the former warehouse', () => {
    expect(decide()).toEqual([['FC1 WH1', 3, true]]);
  });

  test('replaces an earlier one and repeats its own, but never a newer one', () => {
    expect(decide(1)).toEqual([['FC1 WH1', 3, true]]);
    expect(decide(3)).toEqual([['FC1 WH1', 3, true]]);
    expect(decide(4)).toEqual([]);
  });

  test('hides an earlier one at the warehouse that the forecast has come back to, but never a newer one', () => {
    expect(decide(4, 2)).toEqual([['FC1 WH2', 3, null]]);
    expect(decide(4, 3)).toEqual([]);
    expect(decide(4, 4)).toEqual([]);
  });
});
