import { describe, expect, test } from '@jest/globals';
import { intendedAt, publishOpenLoop } from './open-loop.ts';

describe('intendedAt', () => {
  test('one publisher publishes at even distances', () => {
    expect([0, 1, 2, 3].map((index) => intendedAt(index, { perSecond: 200, publishers: 1 }))).toEqual([0, 5, 10, 15]);
  });

  test('publishers go in step, and all together keep the rate', () => {
    const of = { perSecond: 1000, publishers: 10 };
    expect([0, 9, 10, 19, 20].map((index) => intendedAt(index, of))).toEqual([0, 0, 10, 10, 20]);
    expect(intendedAt(1000, of)).toBe(1000);
  });
});

describe('publishOpenLoop', () => {
  const loop = { perSecond: 1000, publishers: 1, retryForMs: 5000 };

  test('a stall of the side puts nothing off: events go on being published on time', async () => {
    let open = 0;
    let most = 0;
    let release: () => void = () => undefined;
    const stalled = new Promise<void>((resolve) => {
      release = resolve;
    });
    const published = await publishOpenLoop({
      ...loop,
      count: 20,
      async publish(index) {
        open += 1;
        most = Math.max(most, open);
        // The first gets a response only when the last has been published: a loop that waited for it would never end.
        if (index === 19) release();
        if (index === 0) await stalled;
        open -= 1;
      },
    });
    expect(published).toHaveLength(20);
    expect(most).toBeGreaterThan(1);
    expect(published.map(({ intended }) => Math.round(intended - (published[0]?.intended ?? 0)))).toEqual([...published.keys()]);
    expect(published[0]?.acknowledged).toBeGreaterThanOrEqual(published[19]?.called as number);
  });

  test('what is not acknowledged is published again until it is', async () => {
    const tries = new Map<number, number>();
    const published = await publishOpenLoop({
      ...loop,
      count: 3,
      async publish(index) {
        tries.set(index, (tries.get(index) ?? 0) + 1);
        if (index === 1 && tries.get(index) !== 3) throw new Error('down');
      },
    });
    expect(published.map(({ repeats }) => repeats)).toEqual([0, 2, 0]);
    expect(published.every(({ acknowledged }) => acknowledged !== undefined)).toBe(true);
  });

  test('publishing stops for what is never acknowledged', async () => {
    const published = await publishOpenLoop({
      ...loop,
      count: 2,
      retryForMs: 0,
      publish: () => Promise.reject(new Error('down')),
    });
    expect(published.map(({ acknowledged }) => acknowledged)).toEqual([undefined, undefined]);
  });
});
