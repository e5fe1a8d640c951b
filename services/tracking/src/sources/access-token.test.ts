import { expect, jest, test } from '@jest/globals';
import { AccessTokens, type GrantedToken } from './access-token.ts';
import { SourceRefusal } from './source-refusal.ts';

const signal = AbortSignal.timeout(60_000);
const HOUR_MS = 3_600_000;

/** The token that a call is made with. */
const current = (tokens: AccessTokens, by = signal): Promise<string> => tokens.use(by, async (token) => token);

/** A vendor that gives token after token. */
function vendor(lifetimeMs = HOUR_MS) {
  let count = 0;
  return jest.fn(async (): Promise<GrantedToken> => {
    count += 1;
    return { text: `token-${count}`, lifetimeMs };
  });
}

test.each([
  [HOUR_MS, HOUR_MS - 5 * 60_000],
  [120_000, 60_000],
  [0, 0],
])('a token of %d ms is kept for %d ms', async (lifetimeMs, keptMs) => {
  const tokens = new AccessTokens(vendor(lifetimeMs));
  const start = Date.now();
  const now = jest.spyOn(Date, 'now').mockReturnValue(start);
  expect(await current(tokens)).toBe('token-1');
  now.mockReturnValue(start + keptMs - 1);
  if (keptMs > 0) expect(await current(tokens)).toBe('token-1');
  now.mockReturnValue(start + keptMs);
  expect(await current(tokens)).toBe('token-2');
  now.mockRestore();
});

test('a token is fetched once by calls of one time, and once in place of one that is not taken', async () => {
  const fetch = vendor();
  const tokens = new AccessTokens(fetch);
  expect(await Promise.all([current(tokens), current(tokens)])).toEqual(['token-1', 'token-1']);
  const call = async (token: string): Promise<string> => {
    if (token === 'token-1') throw new SourceRefusal('access denied', 'No');
    return token;
  };
  expect(await Promise.all([tokens.use(signal, call), tokens.use(signal, call)])).toEqual(['token-2', 'token-2']);
  await tokens.fresh(signal);
  expect([await current(tokens), fetch.mock.calls.length]).toEqual(['token-3', 3]);
});

test('a call that is refused for another reason, or with the second token, is not made again', async () => {
  const tokens = new AccessTokens(vendor());
  for (const [reason, made] of [['throttled', 1] as const, ['access denied', 2] as const]) {
    const call = jest.fn((): Promise<never> => Promise.reject(new SourceRefusal(reason, 'No')));
    await expect(tokens.use(signal, call)).rejects.toMatchObject({ reason });
    expect(call).toHaveBeenCalledTimes(made);
  }
});

test('a token that cannot be fetched is an error for all that wait, and for no later call', async () => {
  const refusal = new SourceRefusal('access denied', 'No');
  const fetch = jest.fn<() => Promise<GrantedToken>>().mockRejectedValueOnce(refusal).mockResolvedValue({ text: 't', lifetimeMs: HOUR_MS });
  const tokens = new AccessTokens(fetch);
  const results = await Promise.allSettled([current(tokens), current(tokens), current(tokens, AbortSignal.abort())]);
  const reasons = results.map((result) => (result.status === 'rejected' ? (result.reason as SourceRefusal).reason : ''));
  expect(reasons).toEqual(['access denied', 'access denied', 'unavailable']);
  expect(await current(tokens)).toBe('t');
});

test('a token is waited for no longer than the signal, and one that waits on gets it', async () => {
  let give: ((token: GrantedToken) => void) | undefined;
  const tokens = new AccessTokens(() => new Promise((resolve) => (give = resolve)));
  const [short, late] = [current(tokens, AbortSignal.timeout(10)), current(tokens)];
  await expect(short).rejects.toMatchObject({ reason: 'unavailable' });
  give?.({ text: 'late', lifetimeMs: HOUR_MS });
  expect(await late).toBe('late');
});
