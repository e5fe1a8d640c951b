import { expect, test } from '@jest/globals';
import { ResponseBatch } from './response-batch.ts';

test('responses of one turn are written together and in order; one that becomes ready meanwhile comes with the next', async () => {
  const batch = new ResponseBatch();
  const written: string[] = [];
  const response = (name: string, then?: () => void) => ({
    write: () => {
      written.push(name);
      then?.();
    },
  });
  batch.add(response('first', () => batch.add(response('third'))));
  batch.add(response('second'));
  expect(written).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toEqual(['first', 'second']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toEqual(['first', 'second', 'third']);
});
