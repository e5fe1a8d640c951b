import { expect, test } from '@jest/globals';
import { ApiFailure } from '@parcelway/page/api/failure';
import { keepOnlyFor, memoryOf } from './tenant-memory.ts';
import { type FirstTokens, forgetToken, keepToken, keptToken, resumeWith, type TabStorage, tokenInFragment } from './tokens.ts';

const TOKEN = 'pfs_s1.ab-c.d_e';

function storageOf(entries: Map<string, string>): TabStorage {
  return {
    getItem: (name) => entries.get(name) ?? null,
    setItem: (name, value) => void entries.set(name, value),
    removeItem: (name) => void entries.delete(name),
  };
}

test('a tab keeps only tokens of sessions', () => {
  const entries = new Map<string, string>();
  const storage = storageOf(entries);
  expect(keptToken(storage)).toBeUndefined();
  keepToken(TOKEN, storage);
  expect(keptToken(storage)).toBe(TOKEN);
  forgetToken(storage);
  expect([keptToken(storage), entries.size]).toEqual([undefined, 0]);
  for (const other of ['', 'pf_test_abc', 'pfs_a b', '{"token":"pfs_a"}']) {
    entries.set('parcelway.console.session', other);
    expect(keptToken(storage)).toBeUndefined();
  }
});

test('a browser that refuses its storage, or has no room, costs the session at the next reload, nothing else', () => {
  keepToken(TOKEN, undefined);
  forgetToken(undefined);
  expect(keptToken(undefined)).toBeUndefined();
  const entries = new Map([['parcelway.console.session', 'pfs_former']]);
  const full: TabStorage = {
    ...(storageOf(entries) as NonNullable<TabStorage>),
    setItem() {
      throw new Error('QuotaExceededError');
    },
  };
  keepToken(TOKEN, full);
  expect(keptToken(full)).toBeUndefined();
});

test('a link brings its token in the fragment', () => {
  expect(tokenInFragment(`#link=${TOKEN}`)).toBe(TOKEN);
  for (const other of ['', '#/parcels', '#link=', '#link=pf_test_abc', `#link=${TOKEN}&x=1`])
    expect(tokenInFragment(other)).toBeUndefined();
});

async function begun(tokens: Partial<FirstTokens>, failing: Readonly<Record<string, string>> = {}) {
  const tried: string[] = [];
  const refused: string[] = [];
  const enter = async (token: string): Promise<void> => {
    tried.push(token);
    const code = failing[token];
    if (code !== undefined) throw new ApiFailure(code);
  };
  const failure = await resumeWith({ link: undefined, kept: undefined, ...tokens }, enter, ({ code }) => refused.push(code));
  return { tried, refused, failure: failure?.code };
}

const BOTH = { link: 'link', kept: 'kept' };

test.each<[string, Partial<FirstTokens>, Record<string, string>, object]>([
  ['a link that works takes the place of the session of the tab', BOTH, {}, { tried: ['link'] }],
  ['without a link, the tab resumes its session', { kept: 'kept' }, {}, { tried: ['kept'] }],
  ['without a link, a session that has ended fails', { kept: 'kept' }, { kept: '40003' }, { tried: ['kept'], failure: '40003' }],
  ['without both, nothing is tried', {}, {}, { tried: [] }],
  [
    'a refused link is reported also when the session has ended',
    BOTH,
    { link: '40302', kept: '40003' },
    { refused: ['40302'], failure: '40003' },
  ],
  ['a refused link fails as such when the tab had no session', { link: 'link' }, { link: '40302' }, { tried: ['link'], failure: '40302' }],
])('%s', async (_what, tokens, failing, expected) => {
  expect(await begun(tokens, failing)).toEqual({ tried: ['link', 'kept'], refused: [], failure: undefined, ...expected });
});

test.each(['40003', '40301', '40302', '42901'])('a link refused with %s leaves the session of the tab, and says why', async (code) => {
  expect(await begun(BOTH, { link: code })).toEqual({ tried: ['link', 'kept'], refused: [code], failure: undefined });
});

test.each(['50301', '50000', 'offline', 'timeout', 'unreadable'])(
  'a link that fails with %s may still work, so no other session is tried',
  async (code) => {
    expect(await begun(BOTH, { link: code })).toEqual({ tried: ['link'], refused: [], failure: code });
  },
);

test('a defect of the page is thrown on', async () => {
  const defect = (): Promise<void> => Promise.reject(new TypeError('a defect'));
  await expect(resumeWith(BOTH, defect, () => undefined)).rejects.toThrow('a defect');
});

test('what is remembered of a tenant goes when another one signs in, or nobody is, and what comes after it has left is not kept', () => {
  keepOnlyFor('tnt_a');
  memoryOf('tnt_a').list = '#/parcels?status=3';
  keepOnlyFor('tnt_a');
  expect([memoryOf('tnt_a').list, memoryOf('tnt_b')]).toEqual(['#/parcels?status=3', {}]);
  keepOnlyFor('tnt_b');
  memoryOf('tnt_a').list = '#/late';
  keepOnlyFor(undefined);
  keepOnlyFor('tnt_a');
  expect(memoryOf('tnt_a')).toEqual({});
});
