import { expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { beginAgain, beginErasure, failureOf, finished, retryAfter, sortDeadLetters, viewErasure, withCount } from './erasure.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const SETTLE = 180_000;

test('an erasure that runs shows what was deleted so far', () => {
  let record = withCount(beginErasure('tnt_a', NOW), 'forecast', 'forecasts', 100);
  record = withCount(record, 'forecast', 'forecasts', 5);
  record = withCount(record, 'warehouse-intake', 'parcels', 0);
  expect(viewErasure(record, SETTLE)).toEqual({
    tenant_id: 'tnt_a',
    state: 'running',
    start_time: '2026-11-21T08:00:00.000+00:00',
    finish_time: null,
    last_look_time: null,
    failures: 0,
    failure: null,
    removed: [{ service: 'forecast', kind: 'forecasts', count: 105 }],
    remains: [],
  });
});

test('an erasure says when its last look begins, from when every service has remembered the tenant until its end', () => {
  const remembered = { ...beginErasure('tnt_a', NOW - 60_000), rememberedAt: NOW };
  expect(viewErasure(remembered, SETTLE).last_look_time).toBe('2026-11-21T08:03:00.000+00:00');
  expect(viewErasure({ ...remembered, finishedAt: NOW + SETTLE }, SETTLE).last_look_time).toBeNull();
});

test('a finished erasure says what remains and until when', () => {
  const view = viewErasure({ ...beginErasure('tnt_a', NOW), finishedAt: NOW }, SETTLE);
  expect([view.state, view.finish_time]).toEqual(['finished', '2026-11-21T08:00:00.000+00:00']);
  expect(view.remains.map(({ what, until }) => [what, until])).toEqual([
    ['messages in the log', '2026-11-28T08:00:00.000+00:00'],
    ['messages in warehouse.expected.v1', '2027-11-21T08:00:00.000+00:00'],
    ['messages in the dead-letter topics', '2026-12-21T08:00:00.000+00:00'],
    ['interrupted uploads', null],
    ['reports of warehouses that found no forecast', null],
    ['backups', null],
    ['logs and traces', null],
    ['registrations of parcels at vendors of tracking data', null],
    ['what merchants and systems outside have received', null],
  ]);
});

test('a finished erasure begins again, one that runs goes on', () => {
  const running = { ...withCount(beginErasure('tnt_a', NOW), 'file', 'files', 1), rememberedAt: NOW, deadLettersLeft: 1 };
  expect(beginAgain({ ...running, failures: 2, failure: 'out' })).toEqual(running);
  expect(beginAgain({ ...running, finishedAt: NOW })).toEqual({ ...running, rememberedAt: null, deadLettersLeft: 0 });
});

test('an erasure that fails is repeated after a pause that grows to ten minutes, and says why', () => {
  expect([1, 2, 3, 6, 7, 1000].map(retryAfter)).toEqual([10_000, 20_000, 40_000, 320_000, 600_000, 600_000]);
  expect(failureOf(AppError.unavailable('The store is out'))).toBe('The store is out (50301)');
  expect(failureOf(new Error('duplicate key: recipient Li'))).not.toContain('Li');
  const failed = { ...beginErasure('tnt_a', NOW), failures: 3, failure: 'The store is out (50301)' };
  expect(viewErasure(failed, SETTLE)).toMatchObject({ failures: 3, failure: 'The store is out (50301)' });
  const forward = withCount(failed, 'file', 'files', 1);
  expect([forward.failures, forward.failure]).toEqual([0, null]);
  expect(finished(failed, 3, NOW + 1)).toMatchObject({
    failures: 0,
    failure: null,
    deadLettersLeft: 3,
    finishedAt: NOW + 1,
  });
});

test('of each partition, the dead letters of a tenant before the first one of another can be deleted', () => {
  const place = (partition: number, offset: number, key: string | null) => ({ partition, offset: String(offset), key });
  const [first, second] = [place(0, 1, 'tnt_a/FC1'), place(1, 4, 'tnt_a/FC2')];
  const places = [first, place(0, 2, 'tnt_ab/FC1'), place(0, 3, 'tnt_a/FC1'), second, place(2, 1, null), place(2, 2, 'tnt_a/FC3')];
  expect(sortDeadLetters('tnt_a', places)).toEqual({ deletable: [first, second], left: 2, blocked: new Set([0, 2]) });
  const next = [place(0, 9, 'tnt_a/FC1'), place(1, 5, 'tnt_a/FC2')];
  expect(sortDeadLetters('tnt_a', next, new Set([0, 2]))).toEqual({ deletable: [next[1]], left: 1, blocked: new Set([0, 2]) });
});
