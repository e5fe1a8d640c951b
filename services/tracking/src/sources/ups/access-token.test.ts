import { describe, expect, jest, test } from '@jest/globals';
import { SourceRefusal } from '../source-refusal.ts';
import { type AccessToken, createAccessTokens } from './access-token.ts';

const signal = AbortSignal.timeout(60_000);
const HOUR_MS = 3_600_000;

/** A vendor that gives token after token. */
function vendor(lifetimeMs: number) {
  let count = 0;
  return jest.fn(async (): Promise<AccessToken> => {
    count += 1;
    return { text: `token-${count}`, endsAt: Date.now() + lifetimeMs };
  });
}

describe('a token', () => {
  test('is kept until a minute before its end', async () => {
    const fetch = vendor(HOUR_MS);
    const tokens = createAccessTokens(fetch);
    const start = Date.now();
    const now = jest.spyOn(Date, 'now').mockReturnValue(start);
    expect((await tokens.current(signal)).text).toBe('token-1');
    now.mockReturnValue(start + HOUR_MS - 60_001);
    expect((await tokens.current(signal)).text).toBe('token-1');
    now.mockReturnValue(start + HOUR_MS - 60_000);
    expect((await tokens.current(signal)).text).toBe('token-2');
    now.mockRestore();
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  test('is fetched once by calls of one time, and once in place of one that is not taken', async () => {
    const fetch = vendor(HOUR_MS);
    const tokens = createAccessTokens(fetch);
    const [first, second] = await Promise.all([tokens.current(signal), tokens.current(signal)]);
    expect(second).toBe(first);
    const renewed = await Promise.all([tokens.instead(first, signal), tokens.instead(first, signal)]);
    expect([...renewed, await tokens.instead(first, signal)].map(({ text }) => text)).toEqual(['token-2', 'token-2', 'token-2']);
    expect((await tokens.fresh(signal)).text).toBe('token-3');
    expect(fetch).toHaveBeenCalledTimes(3);
  });

  test('that cannot be fetched is an error for all that wait, and for no later call', async () => {
    const refusal = new SourceRefusal('access denied', 'No');
    const fetch = jest.fn<() => Promise<AccessToken>>().mockRejectedValueOnce(refusal).mockResolvedValue({ text: 't', endsAt: Infinity });
    const tokens = createAccessTokens(fetch);
    const results = await Promise.allSettled([tokens.current(signal), tokens.current(signal), tokens.current(AbortSignal.abort())]);
    expect(results.map((result) => (result.status === 'rejected' ? (result.reason as SourceRefusal).reason : ''))).toEqual([
      'access denied',
      'access denied',
      'unavailable',
    ]);
    expect((await tokens.current(signal)).text).toBe('t');
  });

  test('is waited for no longer than the signal, and one that waits on gets it', async () => {
    let give: ((token: AccessToken) => void) | undefined;
    const tokens = createAccessTokens(() => new Promise((resolve) => (give = resolve)));
    const [short, long] = [tokens.current(AbortSignal.timeout(10)), tokens.current(signal)];
    await expect(short).rejects.toMatchObject({ reason: 'unavailable' });
    give?.({ text: 'late', endsAt: Infinity });
    expect((await long).text).toBe('late');
  });
});
