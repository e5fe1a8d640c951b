import { describe, expect, test } from '@jest/globals';
import Type from 'typebox';
import { CODE_PATTERN, nullable, oneOf } from './text.ts';
import { compileValidator } from './validator.ts';

describe('messages', () => {
  const schema = Type.Object({
    code: Type.String({ pattern: CODE_PATTERN }),
    kind: oneOf(['a', 'b'], 'kind'),
    note: nullable(Type.String()),
    tags: Type.Array(Type.String(), { minItems: 1, uniqueItems: true }),
  });
  const validator = compileValidator(schema);
  const messages = (value: unknown) => Object.fromEntries(validator.errors(value).map(({ field, message }) => [field, message]));

  test('are sentences for people, without regular expressions', () => {
    expect(messages({ code: '-', kind: 'c', note: null, tags: ['x', 'x'] })).toEqual({
      code: 'code must start with a letter or digit and contain only letters, digits and . _ -',
      kind: 'kind must be one of a, b',
      tags: 'tags must not contain the same element twice',
    });
    expect(messages({})).toEqual({
      code: 'code is required',
      kind: 'kind is required',
      note: 'note is required',
      tags: 'tags is required',
    });
    expect(messages({ code: 'A', kind: 'a', note: 'n', tags: [] })).toEqual({ tags: 'tags must have at least 1 element' });
  });

  test('name a field and rule once, also when several branches failed', () => {
    const errors = validator.errors({ code: 'A', kind: 'a', note: 5, tags: ['x'] });
    expect(errors.map(({ field, rule }) => `${field} ${rule}`)).toEqual(['note type']);
  });
});
