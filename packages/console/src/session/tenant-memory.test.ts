import { beforeEach, expect, test } from '@jest/globals';
import { keepOnlyFor, TenantMemory } from './tenant-memory.ts';

const memory = new TenantMemory<string>();

beforeEach(() => {
  keepOnlyFor(undefined);
  keepOnlyFor('tnt_a');
});

test('a tenant has what was kept for it last, also when it signs in again', () => {
  memory.keep('tnt_a', 'first');
  memory.keep('tnt_a', 'second');
  keepOnlyFor('tnt_a');
  expect(memory.of('tnt_a')).toBe('second');
});

test('no other tenant has it, and it is forgotten when one signs in', () => {
  memory.keep('tnt_a', 'first');
  expect(memory.of('tnt_b')).toBeUndefined();
  keepOnlyFor('tnt_b');
  expect(memory.of('tnt_b')).toBeUndefined();
  keepOnlyFor('tnt_a');
  expect(memory.of('tnt_a')).toBeUndefined();
});

test('signing out forgets it', () => {
  memory.keep('tnt_a', 'first');
  keepOnlyFor(undefined);
  keepOnlyFor('tnt_a');
  expect(memory.of('tnt_a')).toBeUndefined();
});

test('what comes after its tenant has left is not kept', () => {
  keepOnlyFor('tnt_b');
  memory.keep('tnt_b', 'of b');
  memory.keep('tnt_a', 'late');
  expect([memory.of('tnt_a'), memory.of('tnt_b')]).toEqual([undefined, 'of b']);
  keepOnlyFor(undefined);
  memory.keep('tnt_b', 'late');
  keepOnlyFor('tnt_b');
  expect(memory.of('tnt_b')).toBeUndefined();
});
