import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { hashKey } from '../proxy/domain/api-key.ts';
import { composeOperatorToken, type OperatorRecord } from './domain/operator.ts';
import { OperatorTokens } from './operator-tokens.ts';

const tokenOf = (no: number): string => composeOperatorToken(new Uint8Array(24).fill(no));
const MAIN = 'the-token-of-the-installation';
const NOW = 1_000_000;

function operator(name: string, no: number, given: Partial<OperatorRecord> = {}): OperatorRecord {
  return { name, role: 'read', hash: hashKey(tokenOf(no)), createdAt: 1, expiresAt: null, lastUsedAt: null, revokedAt: null, ...given };
}

function setUp(...given: OperatorRecord[]) {
  const stored = [...given];
  let reads = 0;
  const list = async (): Promise<OperatorRecord[]> => {
    reads += 1;
    return [...stored];
  };
  const clock = new ManualClock(NOW);
  return { reads: () => reads, clock, stored, tokens: new OperatorTokens({ list, clock, token: MAIN }) };
}

test('the token of the installation and malformed tokens are judged without the store', async () => {
  const { tokens, reads } = setUp(operator('li', 1));
  expect(await tokens.authenticate(MAIN)).toEqual({ name: 'admin', role: 'admin' });
  for (const invention of ['', 'x', `${tokenOf(1)}x`, tokenOf(1).replace(/.$/, '!')])
    await expect(tokens.authenticate(invention)).rejects.toMatchObject({ code: '40003', message: 'The admin token is not valid' });
  expect(reads()).toBe(0);
});

test('a token authenticates its operator until it expires or is revoked', async () => {
  const { tokens } = setUp(
    operator('li', 1),
    operator('wang', 2, { role: 'support', expiresAt: NOW + 1 }),
    operator('zhao', 3, { expiresAt: NOW }),
    operator('chen', 4, { revokedAt: 5 }),
  );
  expect(await tokens.authenticate(tokenOf(1))).toEqual({ name: 'li', role: 'read' });
  expect(await tokens.authenticate(tokenOf(2))).toEqual({ name: 'wang', role: 'support' });
  for (const [no, message] of [
    [3, 'The token of the operator zhao is expired'],
    [4, 'The token of the operator chen is revoked'],
    [5, 'The admin token is not valid'],
  ] as const)
    await expect(tokens.authenticate(tokenOf(no))).rejects.toMatchObject({ code: '40003', message });
});

test('unknown tokens read the store once a second, and again after this process has changed an operator', async () => {
  const { tokens, reads, clock, stored } = setUp(operator('li', 1));
  const invent = (from: number) =>
    Array.from({ length: 10 }, (_, index) => expect(tokens.authenticate(tokenOf(from + index))).rejects.toMatchObject({ code: '40003' }));
  await Promise.all(invent(10));
  clock.advance(999);
  await Promise.all(invent(20));
  expect(reads()).toBe(1);
  expect(await tokens.authenticate(tokenOf(1))).toMatchObject({ name: 'li' });
  clock.advance(1);
  await Promise.all(invent(30));
  expect(reads()).toBe(3);
  stored.push(operator('wang', 30));
  tokens.forget();
  expect(await tokens.authenticate(tokenOf(30))).toMatchObject({ name: 'wang' });
});
