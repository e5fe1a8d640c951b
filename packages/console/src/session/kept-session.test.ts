import { expect, test } from '@jest/globals';
import { forgetToken, keepToken, keptToken, type TabStorage, tokenInFragment } from './kept-session.ts';

const TOKEN = 'pfs_s1.ab-c.d_e';

function storageOf(entries: Map<string, string>): TabStorage {
  return {
    getItem: (name) => entries.get(name) ?? null,
    setItem: (name, value) => void entries.set(name, value),
    removeItem: (name) => void entries.delete(name),
  };
}

test('a tab keeps the token of a session, and nothing that is none', () => {
  const entries = new Map<string, string>();
  const storage = storageOf(entries);
  expect(keptToken(storage)).toBeUndefined();
  keepToken(storage, TOKEN);
  expect(keptToken(storage)).toBe(TOKEN);
  forgetToken(storage);
  expect([keptToken(storage), entries.size]).toEqual([undefined, 0]);
  for (const other of ['', 'pf_test_abc', 'pfs_a b', '{"token":"pfs_a"}']) {
    entries.set('parcelway.console.session', other);
    expect(keptToken(storage)).toBeUndefined();
  }
});

test('a browser that refuses its storage, or has no room, costs the session at the next reload, nothing else', () => {
  keepToken(undefined, TOKEN);
  forgetToken(undefined);
  expect(keptToken(undefined)).toBeUndefined();
  const entries = new Map([['parcelway.console.session', 'pfs_former']]);
  const full: TabStorage = {
    ...(storageOf(entries) as NonNullable<TabStorage>),
    setItem() {
      throw new Error('QuotaExceededError');
    },
  };
  keepToken(full, TOKEN);
  expect(keptToken(full)).toBeUndefined();
});

test('a link brings its token in the fragment', () => {
  expect(tokenInFragment(`#link=${TOKEN}`)).toBe(TOKEN);
  for (const other of ['', '#/parcels', '#link=', '#link=pf_test_abc', `#link=${TOKEN}&x=1`])
    expect(tokenInFragment(other)).toBeUndefined();
});
