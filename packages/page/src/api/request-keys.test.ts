import { expect, test } from '@jest/globals';
import { RequestKeys } from './client.ts';

const taken = (key: string): Promise<string> => Promise.resolve(key);

/** Sends a request whose response is lost. @returns its key */
async function lost(keys: RequestKeys, content: string): Promise<string> {
  let used = '';
  const sent = keys.send(content, (key) => {
    used = key;
    return Promise.reject(new Error('lost'));
  });
  await expect(sent).rejects.toThrow('lost');
  return used;
}

test('a repeat has the key of the request whose response was lost', async () => {
  const keys = new RequestKeys();
  const first = await lost(keys, 'a');
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(await keys.send('a', taken)).toBe(first);
});

test('another request has another key, and so has the same one after its success', async () => {
  const keys = new RequestKeys();
  const first = await lost(keys, 'a');
  const other = await keys.send('b', taken);
  const again = await keys.send('b', taken);
  expect(new Set([first, other, again]).size).toBe(3);
});
