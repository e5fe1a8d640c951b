import { expect, test } from '@jest/globals';
import { afterFailure, FAILURES_TO_PAUSE, HEALTHY, isOut, MAX_PAUSE_MS } from './source-state.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');

test('a source is left alone after some failures in a row, for longer each time, to a limit', () => {
  let state = HEALTHY;
  for (let failures = 1; failures < FAILURES_TO_PAUSE; failures += 1) {
    state = afterFailure(state, NOW);
    expect([isOut(state), state.pausedUntil]).toEqual([false, 0]);
  }
  let now = NOW;
  const pauses: number[] = [];
  for (let tries = 0; tries < 7; tries += 1) {
    state = afterFailure(state, now);
    expect(isOut(state)).toBe(true);
    // What was under way when the pause began changes nothing.
    expect(afterFailure(state, now)).toBe(state);
    pauses.push(state.pausedUntil - now);
    now = state.pausedUntil;
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, MAX_PAUSE_MS, MAX_PAUSE_MS]);
});
