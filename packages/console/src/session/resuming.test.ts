import { describe, expect, test } from '@jest/globals';
import { ApiFailure } from '@parcelway/page/api/failure';
import { type FirstTokens, resumeWith } from './resuming.ts';

/** Begins with these tokens where those of `failing` fail with their codes. */
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

test('without a link, the tab goes on with its session', async () => {
  expect(await begun({ kept: 'kept' })).toEqual({ tried: ['kept'], refused: [], failure: undefined });
  expect(await begun({ kept: 'kept' }, { kept: '40003' })).toEqual({ tried: ['kept'], refused: [], failure: '40003' });
  expect(await begun({})).toEqual({ tried: [], refused: [], failure: undefined });
});

describe('a link that is refused', () => {
  test.each(['40003', '40301', '40302', '42901'])('with %s leaves the session of the tab, and says why', async (code) => {
    expect(await begun(BOTH, { link: code })).toEqual({ tried: ['link', 'kept'], refused: [code], failure: undefined });
  });

  test('says so too when the session of the tab has ended meanwhile', async () => {
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
