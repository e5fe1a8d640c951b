import { expect, jest, test } from '@jest/globals';
import { GrowingPace } from './growing-pace.ts';

test('after a write of few the next may begin soon, after one of many later, and never much later', () => {
  let now = 1000;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
  try {
    const pace = new GrowingPace(80);
    const waits: number[] = [];
    for (const count of [0, 1, 5, 19, 200]) {
      pace.begun(count);
      waits.push(pace.waitMs());
    }
    expect(waits).toEqual([0, 4, 20, 76, 80]);
    now += 79;
    expect(pace.waitMs()).toBe(1);
    now += 50;
    expect(pace.waitMs()).toBe(0);
    const slower = new GrowingPace(80, 30);
    slower.begun(1);
    expect(slower.waitMs()).toBe(30);
    slower.begun(3);
    expect(slower.waitMs()).toBe(80);
  } finally {
    clock.mockRestore();
  }
});
