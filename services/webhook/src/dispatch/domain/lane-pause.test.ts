import { describe, expect, test } from '@jest/globals';
import { laneWith, NOW, succeeded, tooMuch } from '../../testing/lanes.ts';

describe('a pause of a lane', () => {
  test('is what the receiver asks for, and what comes until its end is held back', () => {
    const lane = laneWith(1);
    expect(lane.hasHeldBack(NOW)).toBe(false);
    expect(lane.learn(tooMuch('5'), NOW, 0)).toEqual({ slowedUntil: NOW + 5000 });
    expect(lane.endpoint.slowedUntil).toBe(NOW + 5000);
    expect(lane.pausedUntil(NOW)).toBe(NOW + 5000);
    expect(lane.canStart(NOW + 4999)).toBe(false);
    expect(lane.hasHeldBack(NOW + 4999)).toBe(true);
    expect(lane.hasHeldBack(NOW + 5000)).toBe(false);
    expect(lane.canStart(NOW + 5000)).toBe(true);
    expect(lane.hasHeldBack(NOW + 5000)).toBe(false);
  });

  test('of another process counts, and what is read of it later replaces it', () => {
    const lane = laneWith(1, { slowedUntil: NOW + 3000 });
    expect(lane.pausedUntil(NOW)).toBe(NOW + 3000);
    lane.noteSlowdown(NOW + 1000);
    expect(lane.pausedUntil(NOW)).toBe(NOW + 1000);
    const { endpoint: before } = lane;
    lane.noteSlowdown(NOW + 1000);
    expect(lane.endpoint).toBe(before);
    lane.noteSlowdown(null);
    expect(lane.canStart(NOW)).toBe(true);
  });

  test('is not stored when it is short', () => {
    const lane = laneWith(1);
    expect(lane.learn(tooMuch(null), NOW, 0)).toBeUndefined();
    expect(lane.endpoint.slowedUntil).toBeNull();
    expect(lane.pausedUntil(NOW)).toBe(NOW + 250);
  });

  test('that lasts ten seconds keeps the queue; a longer one keeps nothing in memory', () => {
    const lane = laneWith(1);
    lane.learn(tooMuch('10'), NOW, 0);
    expect(lane.room(NOW)).toBeGreaterThan(0);
    const longer = laneWith(1);
    longer.learn(tooMuch('11'), NOW, 0);
    expect(longer.room(NOW)).toBe(0);
    expect(longer.takeSurplus(NOW)).toHaveLength(1);
    expect(longer.hasHeldBack(NOW)).toBe(true);
  });

  test('ends with a success, here and for others', () => {
    const lane = laneWith(1, { slowedUntil: NOW + 5000 });
    lane.learn(tooMuch('5'), NOW, 0);
    expect(lane.learn(succeeded, NOW, 0)).toBeUndefined();
    expect(lane.endpoint.slowedUntil).toBeNull();
    expect(lane.canStart(NOW)).toBe(true);
    // The next pause is as short as the first.
    lane.learn(tooMuch(null), NOW, 0);
    expect(lane.pausedUntil(NOW)).toBe(NOW + 250);
  });
});
