import { expect, test } from '@jest/globals';
import { textOfPosition, waitingPositionIn } from './waiting-cursor.ts';

test.each([
  { receivedAt: 0, id: '1' },
  { receivedAt: 1_763_712_000_000, id: 'evt_0193a5c0f2b07a1b8c2d9e3f4a5b6c7d' },
])('a position is read back: %p', (position) => expect(waitingPositionIn(textOfPosition(position))).toEqual(position));

test.each(['', '1.2', '2.1.1', '1.x.1', '1.1.evt_1', '1.1.1 ', '1.-1.1', '1.1.$ne', `1.1.${'1'.repeat(16)}`])('%p is none', (text) =>
  expect(waitingPositionIn(text)).toBeUndefined(),
);
