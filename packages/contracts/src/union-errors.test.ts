import { describe, expect, test } from '@jest/globals';
import Type from 'typebox';
import { nullable } from './text.ts';
import { compileValidator } from './validator.ts';

describe('a union', () => {
  const status = Type.Integer({ minimum: 1, maximum: 7 });
  const severalOrOne = Type.Union([status, Type.Array(status, { minItems: 1 })]);
  const limit = nullable(Type.Integer({ minimum: 1 }));
  const validator = compileValidator(Type.Array(Type.Object({ limit, status: severalOrOne, deep: nullable(severalOrOne) })));
  const valid = { limit: null, status: 3, deep: null };
  const messages = (...values: object[]) => validator.errors(values.map((value) => ({ ...valid, ...value }))).map(({ message }) => message);

  test.each([
    [{ limit: 0 }, ['[0].limit must be at least 1']],
    [{ status: 9 }, ['[0].status must be at most 7']],
    [{ status: [9, 'x'] }, ['[0].status[0] must be at most 7', '[0].status[1] must be an integer']],
    [{ status: [] }, ['[0].status must have at least 1 element']],
    [{ deep: 9 }, ['[0].deep must be at most 7']],
    [{ deep: [0] }, ['[0].deep[0] must be at least 1']],
  ])('says of %j only what the branch for a value of its type says', (value, expected) => {
    expect(messages(value)).toEqual(expected);
  });

  test('names a type when no branch is for a value of that type', () => {
    expect(messages({ limit: 'x' })).toEqual(['[0].limit must be an integer']);
  });

  test('judges each value of a list by itself', () => {
    expect(messages({ limit: 0 }, { limit: 'x' }, { limit: 0 })).toEqual([
      '[0].limit must be at least 1',
      '[1].limit must be an integer',
      '[2].limit must be at least 1',
    ]);
  });
});
