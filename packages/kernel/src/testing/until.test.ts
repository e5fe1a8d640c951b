import { expect, test } from '@jest/globals';
import { until } from './until.ts';

test('gives what the probe gives at last, through nothing and through errors', async () => {
  const looks: (() => string | undefined)[] = [
    () => undefined,
    () => {
      throw new Error('not there');
    },
    () => 'found',
  ];
  expect(await until(() => looks.shift()?.(), { everyMs: 1 })).toBe('found');
});

test('fails behind the deadline, with what it waited for and the last error', async () => {
  const waiting = until(() => Promise.reject(new Error('not there')), { within: 5, everyMs: 1, what: 'a parcel' });
  await expect(waiting).rejects.toMatchObject({ message: 'Waited in vain for a parcel (5 ms)', cause: new Error('not there') });
});

test('looks once even when no time is left', async () => {
  expect(await until(() => 1, { within: 0 })).toBe(1);
});
