import { expect, test } from '@jest/globals';
import { withWeighing } from './current-measurement.ts';
import { initialProgress, type Measurement, type WeighingPhoto } from './forecast.ts';
import { MAX_KEPT } from './kept-list.ts';

const measured = (weightKg: number, weighedAtMs: number): Measurement => ({
  lengthCm: 1,
  widthCm: 1,
  heightCm: 1,
  weightKg,
  weighedAt: `at ${weighedAtMs}`,
  weighedAtMs,
  reportedBy: { warehouseCode: 'WH1', eventId: `we-${weighedAtMs}`, expressNo: null },
});
const photo = (id: number, uploadTimeMs: number, expressNo = ''): WeighingPhoto => ({
  id,
  path: `p${id}`,
  url: `u${id}`,
  sizeByte: id,
  uploadTime: `t${uploadTimeMs}`,
  uploadTimeMs,
  expressNo,
});
const start = initialProgress(0);

test('the current measurement is the one weighed last, whichever report comes in last', () => {
  for (const [first, second] of [
    [measured(1, 1), measured(2, 2)],
    [measured(2, 2), measured(1, 1)],
  ] as const) {
    const { measurements } = withWeighing(withWeighing(start, first, []), second, []);
    expect(measurements.map(({ weightKg }) => weightKg)).toEqual([2, 1]);
  }
});

test('of two measurements at one instant the later report is the current one', () => {
  const first = withWeighing(start, measured(1, 5), []);
  expect(withWeighing(first, measured(2, 5), []).measurements.map(({ weightKg }) => weightKg)).toEqual([2, 1]);
});

test('a forecast keeps the newest measurements and no more than its bound', () => {
  let progress = start;
  for (let at = 0; at < MAX_KEPT + 5; at += 1) progress = withWeighing(progress, measured(1, at), []);
  expect(progress.measurements).toHaveLength(MAX_KEPT);
  expect(progress.measurements[0]?.weighedAtMs).toBe(MAX_KEPT + 4);
});

test('photos are sorted by upload, latest first, and by id within an instant; each is kept once', () => {
  const first = withWeighing(start, measured(1, 1), [photo(1, 2), photo(2, 3), photo(3, 2)]);
  expect(first.weighingPhotos.map(({ id }) => id)).toEqual([2, 3, 1]);
  const second = withWeighing(first, measured(1, 2), [photo(2, 3, 'SF1')]);
  expect(second.weighingPhotos.map(({ id, expressNo }) => [id, expressNo])).toEqual([
    [2, 'SF1'],
    [3, ''],
    [1, ''],
  ]);
});
