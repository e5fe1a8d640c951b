import { expect, test } from '@jest/globals';
import { positionInText, textOfPosition } from './ports.ts';

test('a position comes back from its text', () => {
  const position = { uploadedAt: 1_795_262_400_000, token: 'aZ09_-aZ09_-aZ09_-aZ09' };
  expect(positionInText(textOfPosition(position))).toEqual(position);
});

test.each(['', '1.5', '1.5.short', '2.5.aZ09_-aZ09_-aZ09_-aZ09', '1.x.aZ09_-aZ09_-aZ09_-aZ09'])('%j is none', (text) =>
  expect(positionInText(text)).toBeUndefined(),
);
