import { beforeEach, describe, expect, test } from '@jest/globals';
import { ApiFailure } from '@parcelway/page/api/failure';
import { keepOnlyFor, TenantMemory } from './tenant-memory.ts';
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

test('a link that works takes the place of the session of the tab', async () => {
  expect(await begun(BOTH)).toEqual({ tried: ['link'], refused: [], failure: undefined });
});

test('without a link, the tab resumes its session', async () => {
  expect(await begun({ kept: 'kept' })).toEqual({ tried: ['kept'], refused: [], failure: undefined });
  expect(await begun({ kept: 'kept' }, { kept: '40003' })).toEqual({ tried: ['kept'], refused: [], failure: '40003' });
  expect(await begun({})).toEqual({ tried: [], refused: [], failure: undefined });
});

describe('a link that is refused', () => {
  test.each(['40003', '40301', '40302', '42901'])('with %s leaves the session of the tab, and says why', async (code) => {
    expect(await begun(BOTH, { link: code })).toEqual({ tried: ['link', 'kept'], refused: [code], failure: undefined });
  });

  test('also reports it when the session of the tab has ended', async () => {
    expect(await begun(BOTH, { link: '40302', kept: '40003' })).toEqual({ tried: ['link', 'kept'], refused: ['40302'], failure: '40003' });
  });

  test('fails as such when the tab had no session', async () => {
    expect(await begun({ link: 'link' }, { link: '40302' })).toEqual({ tried: ['link'], refused: [], failure: '40302' });
  });
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
