import { expect, test } from '@jest/globals';
import { AnswerBatch } from './answer-batch.ts';

test('answers of one turn are written together and in order; one that becomes ready meanwhile comes with the next', async () => {
  const batch = new AnswerBatch();
  const written: string[] = [];
  const answer = (name: string, then?: () => void) => ({
    write: () => {
      written.push(name);
      then?.();
    },
  });
  batch.add(answer('first', () => batch.add(answer('third'))));
  batch.add(answer('second'));
  expect(written).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toEqual(['first', 'second']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toEqual(['first', 'second', 'third']);
});
