import { expect, test } from '@jest/globals';
import Type from 'typebox';
import { collection } from './collection.ts';

test.each(['tenantId', 'key'] as const)('a unique index that does not begin with the shard field cannot be declared: %s', (shard) => {
  const schema = Type.Object({ tenantId: Type.String(), number: Type.String() }, { additionalProperties: false });
  const declaration = { describe: 'Notes', key: ['number'], tenant: 'tenantId', shard, ends: 'never' } as const;
  const unique = { number: ['number'] } as const;
  expect(() => collection('notes', schema, { ...declaration, unique })).toThrow('number is unique and does not begin with the shard field');
  expect(() => collection('notes', schema, { ...declaration, shard: { unsharded: 'few' }, unique })).not.toThrow();
});
