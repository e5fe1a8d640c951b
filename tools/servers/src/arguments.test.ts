import { expect, test } from '@jest/globals';
import { askedFor } from './arguments.ts';

test('a set may have more nodes, and more memory for MongoDB, as the benchmarks ask for', () => {
  expect(askedFor(['up', '--mongo-cache', '1'])).toMatchObject({ verb: 'up', cluster: false, mongoCache: 1 });
  expect(askedFor(['up', '--cluster'])).toMatchObject({ verb: 'up', cluster: true, mongoCache: undefined });
});

test.each([
  [['up', '--mongo-cache', '0'], '--mongo-cache takes GiB from 0.25 to 64'],
  [['up', '--mongo-cache='], '--mongo-cache takes GiB from 0.25 to 64'],
  [['up', 'mongo-1'], 'up takes no names'],
  [['kill'], 'kill needs the name of a server'],
  [['begin'], 'unknown command "begin"'],
])('%j is refused with a sentence', (args, sentence) => {
  expect(() => askedFor(args)).toThrow(sentence);
});

test.each([[[]], [['--help']], [['up', '--help']]])('%j asks for help', (args) => {
  expect(askedFor(args).verb).toBe('help');
});
