import { beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { hashKey } from '../proxy/domain/api-key.ts';
import { composeOperatorToken, type OperatorRecord } from './domain/operator.ts';
import { OperatorRing } from './operator-ring.ts';

const tokenOf = (no: number): string => composeOperatorToken(new Uint8Array(24).fill(no));
const MAIN = 'the-token-of-the-installation';

function operator(name: string, no: number, given: Partial<OperatorRecord> = {}): OperatorRecord {
  return { name, role: 'read', hash: hashKey(tokenOf(no)), createdAt: 1, expiresAt: null, lastUsedAt: null, revokedAt: null, ...given };
}

describe('the ring of operators', () => {
  const clock = new ManualClock(1_000_000);
  let stored: OperatorRecord[];
  let reads: number;
  let ring: OperatorRing;
  beforeEach(() => {
    stored = [operator('li', 1), operator('wang', 2, { role: 'support' })];
    reads = 0;
    const list = async (): Promise<OperatorRecord[]> => {
      reads += 1;
      return [...stored];
    };
    ring = new OperatorRing({ operators: { list }, clock, token: MAIN });
  });

  test('knows the token of the installation without the store', async () => {
    expect(await ring.authenticate(MAIN)).toEqual({ name: 'admin', role: 'admin' });
    expect(reads).toBe(0);
  });

  test('reads once for all tokens, and believes it for less than 5 s', async () => {
    const both = await Promise.all([ring.authenticate(tokenOf(1)), ring.authenticate(tokenOf(2))]);
    expect(both).toEqual([
      { name: 'li', role: 'read' },
      { name: 'wang', role: 'support' },
    ]);
    clock.advance(3999);
    await ring.authenticate(tokenOf(1));
    expect(reads).toBe(1);
    stored[0] = operator('li', 1, { revokedAt: 5 });
    clock.advance(1);
    await expect(ring.authenticate(tokenOf(1))).rejects.toMatchObject({
      code: '40003',
      message: 'The token of the operator li is revoked',
    });
  });

  test('does not read for inventions, and at most once a second for what looks like a token', async () => {
    for (const invention of ['', 'x', `${tokenOf(1)}x`, tokenOf(1).replace(/.$/, '!')])
      await expect(ring.authenticate(invention)).rejects.toMatchObject({ code: '40003' });
    expect(reads).toBe(0);
    for (let no = 10; no < 20; no += 1) await expect(ring.authenticate(tokenOf(no))).rejects.toMatchObject({ code: '40003' });
    expect(reads).toBe(1);
    stored.push(operator('new', 10));
    clock.advance(1000);
    expect(await ring.authenticate(tokenOf(10))).toMatchObject({ name: 'new' });
    expect(reads).toBe(2);
  });

  test('sees at once what this process has changed, also while it reads', async () => {
    await ring.authenticate(tokenOf(1));
    stored = [];
    ring.forget();
    await expect(ring.authenticate(tokenOf(1))).rejects.toMatchObject({ code: '40003' });
    ring.forget();
    const before = ring.authenticate(tokenOf(3));
    stored = [operator('zhao', 3)];
    ring.forget();
    expect(await ring.authenticate(tokenOf(3))).toMatchObject({ name: 'zhao' });
    await expect(before).rejects.toMatchObject({ code: '40003' });
    expect(await ring.authenticate(tokenOf(3))).toMatchObject({ name: 'zhao' });
  });

  test('reads again after a failure, and at a clock that was set back', async () => {
    let isOut = true;
    const list = async (): Promise<OperatorRecord[]> => {
      reads += 1;
      if (isOut) throw new Error('out');
      return stored;
    };
    ring = new OperatorRing({ operators: { list }, clock, token: MAIN });
    await expect(ring.authenticate(tokenOf(1))).rejects.toThrow('out');
    isOut = false;
    expect(await ring.authenticate(tokenOf(1))).toMatchObject({ name: 'li' });
    clock.advance(-60_000);
    await ring.authenticate(tokenOf(1));
    expect(reads).toBe(3);
  });
});
