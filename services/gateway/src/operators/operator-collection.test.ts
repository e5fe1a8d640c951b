import { beforeEach, expect, test } from '@jest/globals';
import { setUpStores } from '../testing/set-up-stores.ts';
import type { OperatorRecord } from './domain/operator.ts';
import type { OperatorStore } from './ports.ts';

const operator = (name: string, given: Partial<OperatorRecord> = {}): OperatorRecord => ({
  name,
  role: 'support',
  hash: `hash of ${name}`,
  createdAt: 1000,
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  ...given,
});
const NOW = 5000;

let operators: OperatorStore;
beforeEach(() => {
  ({ operators } = setUpStores().stores);
});

test('come back as they were kept, by name, at most the limit', async () => {
  expect(await operators.list(10)).toEqual([]);
  const li = operator('li', { role: 'admin', expiresAt: 9000 });
  expect(await operators.add(operator('wang'), NOW)).toBe(true);
  expect(await operators.add(li, NOW)).toBe(true);
  expect(await operators.list(10)).toEqual([li, operator('wang')]);
  expect(await operators.list(1)).toEqual([li]);
});

test('keep their name while their token works, also when two ask for it at the same time', async () => {
  await operators.add(operator('li', { expiresAt: NOW + 1 }), NOW);
  expect(await operators.add(operator('li', { hash: 'other' }), NOW)).toBe(false);
  expect(await operators.list(10)).toEqual([operator('li', { expiresAt: NOW + 1 })]);
  const both = ['one', 'two'].map((hash) => operators.add(operator('wang', { hash }), NOW));
  expect((await Promise.all(both)).sort()).toEqual([false, true]);
});

test('give their name up when they are revoked or expired', async () => {
  await operators.add(operator('li', { expiresAt: NOW }), 1000);
  await operators.recordUse(new Map([['li', 2000]]));
  const next = operator('li', { hash: 'next', role: 'read', createdAt: NOW });
  expect(await operators.add(next, NOW)).toBe(true);
  expect(await operators.list(10)).toEqual([next]);
  await operators.revoke('li', NOW);
  const last = operator('li', { hash: 'last', createdAt: NOW + 1 });
  expect(await operators.add(last, NOW + 1)).toBe(true);
  expect(await operators.list(10)).toEqual([last]);
});

test('are revoked once, one without the others', async () => {
  await operators.add(operator('li'), NOW);
  await operators.add(operator('wang'), NOW);
  expect(await operators.revoke('li', NOW)).toEqual(operator('li', { revokedAt: NOW }));
  expect(await operators.revoke('li', NOW + 1)).toEqual(operator('li', { revokedAt: NOW }));
  expect(await operators.revoke('none', NOW)).toBeUndefined();
  expect(await operators.list(10)).toEqual([operator('li', { revokedAt: NOW }), operator('wang')]);
});

test('are deleted when they are dead, and not before', async () => {
  await operators.add(operator('expired', { expiresAt: NOW }), 1000);
  await operators.add(operator('revoked'), 1000);
  await operators.add(operator('works', { expiresAt: NOW + 1 }), 1000);
  await operators.revoke('revoked', 2000);
  for (const one of ['expired', 'revoked', 'works', 'none']) await operators.deleteDead(one, NOW);
  expect((await operators.list(10)).map((one) => one.name)).toEqual(['works']);
});

test('remember their latest use, and none that is not kept', async () => {
  await operators.add(operator('li'), NOW);
  await operators.recordUse(new Map());
  await operators.recordUse(new Map([['li', 2000]]));
  await operators.recordUse(
    new Map([
      ['li', 1500],
      ['none', 1500],
    ]),
  );
  expect(await operators.list(10)).toEqual([operator('li', { lastUsedAt: 2000 })]);
});
