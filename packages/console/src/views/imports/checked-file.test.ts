import { expect, test } from '@jest/globals';
import { keepOnlyFor } from '../../session/tenant-memory.ts';
import { checkedFile, keepChecked } from './checked-file.ts';

const file = new File(['PO number'], 'orders.csv');

test('a checked file is kept for its import, until another one is checked', () => {
  keepOnlyFor('tnt_a');
  keepChecked('tnt_a', 'imp_1', file);
  expect(checkedFile('tnt_a', 'imp_1')).toBe(file);
  expect(checkedFile('tnt_a', 'imp_2')).toBeUndefined();
  expect(checkedFile('tnt_a', undefined)).toBeUndefined();
  keepChecked('tnt_a', 'imp_2', file);
  expect(checkedFile('tnt_a', 'imp_1')).toBeUndefined();
});

test('another tenant does not get it with the address of its import, and signing out forgets it', () => {
  keepOnlyFor('tnt_a');
  keepChecked('tnt_a', 'imp_1', file);
  expect(checkedFile('tnt_b', 'imp_1')).toBeUndefined();
  keepOnlyFor(undefined);
  keepOnlyFor('tnt_b');
  expect(checkedFile('tnt_b', 'imp_1')).toBeUndefined();
  keepOnlyFor('tnt_a');
  expect(checkedFile('tnt_a', 'imp_1')).toBeUndefined();
});
