import { expect, test } from '@jest/globals';
import { lastTryAt, racePauseMs, untilWritten } from './optimistic-write.ts';

test('an attempt is repeated until nobody else was quicker', async () => {
  let attempts = 0;
  const written = await untilWritten(async () => {
    attempts += 1;
    return attempts === 3 ? 'written' : undefined;
  });
  expect([written, attempts]).toEqual(['written', 3]);
});

test('no attempt begins after the end', async () => {
  const attempt = async () => 'written';
  await expect(untilWritten(attempt, performance.now() - 1)).rejects.toMatchObject({ code: '50301' });
  await expect(untilWritten(attempt, lastTryAt())).resolves.toBe('written');
});

test('lost races end with 50301', async () => {
  let attempts = 0;
  const lost = untilWritten(async () => {
    attempts += 1;
    return undefined;
  });
  await expect(lost).rejects.toMatchObject({ code: '50301' });
  expect(attempts).toBeGreaterThan(5);
});

test('what an attempt throws reaches the caller at once', async () => {
  const failing = untilWritten(() => Promise.reject(new Error('refused')));
  await expect(failing).rejects.toThrow('refused');
});

test('the pause grows with the tries, within a bound', () => {
  expect(racePauseMs(1)).toBeLessThanOrEqual(4);
  for (let tries = 1; tries < 40; tries += 1) expect(racePauseMs(tries)).toBeLessThanOrEqual(100);
});
