import { beforeEach, expect, jest, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { keys } from '../keys/key-collection.ts';
import { sampleKey } from '../testing/sample-key.ts';
import { setUpStores } from '../testing/set-up-stores.ts';
import { LastUse } from './last-use.ts';

let stores: ReturnType<typeof setUpStores>['stores'];
let uses: LastUse;
beforeEach(() => {
  ({ stores } = setUpStores());
  uses = new LastUse(stores.store, keys, silentLogger);
});

const lastUseOf = async (keyId: string) => (await stores.keys.find(keyId))?.lastUsedAt;

/** Notes uses, and writes them. */
async function write(...noted: [string, number][]): Promise<void> {
  for (const [keyId, at] of noted) uses.note(keyId, at);
  await uses.flush();
}

test('keys remember their latest use; uses of unknown keys are ignored', async () => {
  for (const keyId of ['key_1', 'key_2']) await stores.keys.add(sampleKey({ keyId }));
  await write(['key_1', 1000], ['key_1', 2000]);
  await write(['key_1', 1500], ['key_2', 1500], ['none', 1500]);
  expect([await lastUseOf('key_1'), await lastUseOf('key_2'), await lastUseOf('none')]).toEqual([2000, 1500, undefined]);
});

test('a use is lost when the store fails; later ones are not', async () => {
  await stores.keys.add(sampleKey());
  jest.spyOn(stores.store, 'change').mockRejectedValueOnce(new Error('the store is out'));
  await write(['key_1', 1000]);
  expect(await lastUseOf('key_1')).toBeNull();
  await write(['key_1', 2000]);
  expect(await lastUseOf('key_1')).toBe(2000);
});

test('at most 50,000 keys are noted, and later uses update them', async () => {
  await stores.keys.add(sampleKey({ keyId: 'key_0' }));
  const change = jest.spyOn(stores.store, 'change');
  for (let key = 0; key < 50_001; key += 1) uses.note(`key_${key}`, 1);
  await write(['key_0', 2]);
  expect(change).toHaveBeenCalledTimes(100);
  expect(await lastUseOf('key_0')).toBe(2);
});
