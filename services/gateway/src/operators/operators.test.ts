import { describe, expect, test } from '@jest/globals';
import { MAX_OPERATORS } from '@parcelway/contracts/operator-api';
import { setUpStores } from '../testing/set-up-stores.ts';
import { composeOperatorToken } from './domain/operator.ts';
import { createOperator, listOperators, operatorOfToken, revokeOperator } from './operators.ts';

describe('operators', () => {
  test('have names of their own until they are revoked', async () => {
    const { options } = setUpStores();
    await createOperator(options, { name: 'li', role: 'read' });
    const again = () => createOperator(options, { name: 'li', role: 'admin' });
    await expect(again()).rejects.toMatchObject({ code: '40902', message: expect.stringContaining('The name li is taken') });
    await expect(createOperator(options, { name: 'admin', role: 'read' })).rejects.toMatchObject({ code: '40902' });
    expect(await revokeOperator(options, 'li')).toMatchObject({ record: { revokedAt: 1_000_000 }, isRepetition: false });
    expect(await revokeOperator(options, 'li')).toMatchObject({ record: { revokedAt: 1_000_000 }, isRepetition: true });
    expect((await again()).record).toMatchObject({ role: 'admin', revokedAt: null });
    await expect(revokeOperator(options, 'none')).rejects.toMatchObject({ code: '40403' });
    await expect(revokeOperator(options, 'admin')).rejects.toMatchObject({
      code: '40902',
      message: expect.stringContaining('ADMIN_TOKEN'),
    });
  });

  test('are no more than the limit; the one that died first makes room', async () => {
    const { options } = setUpStores();
    const named = (no: number) => createOperator(options, { name: `n${no}`, role: 'read' });
    for (let no = 0; no < MAX_OPERATORS; no += 1) await named(no);
    await expect(named(MAX_OPERATORS)).rejects.toMatchObject({ code: '40902', message: expect.stringContaining('at most 100 operators') });
    await revokeOperator(options, 'n7');
    options.clock.advance(1);
    await revokeOperator(options, 'n3');
    await named(MAX_OPERATORS);
    const names = (await listOperators(options.store)).map(({ name }) => name);
    expect(names).toHaveLength(MAX_OPERATORS);
    expect([names.includes('n7'), names.includes('n3'), names.includes('n100')]).toEqual([false, true, true]);
    // In its own place: nobody else goes for it.
    options.clock.advance(1);
    await revokeOperator(options, 'n5');
    await named(5);
    const kept = (await listOperators(options.store)).map(({ name }) => name);
    expect([kept.length, kept.includes('n3')]).toEqual([MAX_OPERATORS, true]);
  });
});

describe('a token', () => {
  const MAIN = 'the-token-of-the-installation';

  test('of the installation and malformed ones are judged without the store', async () => {
    const { options } = setUpStores();
    const { token } = await createOperator(options, { name: 'li', role: 'read' });
    const authenticate = (text: string) => operatorOfToken({ clock: options.clock, store: {} as never }, MAIN, text);
    expect(await authenticate(MAIN)).toEqual({ name: 'admin', role: 'admin' });
    for (const invention of ['', 'x', `${token}x`, token.replace(/.$/, '!')])
      await expect(authenticate(invention)).rejects.toMatchObject({ code: '40003', message: 'The admin token is not valid' });
  });

  test('authenticates its operator until it expires or is revoked', async () => {
    const { options } = setUpStores();
    const { token } = await createOperator(options, { name: 'li', role: 'support', expiresInSeconds: 1 });
    const revoked = (await createOperator(options, { name: 'chen', role: 'read' })).token;
    await revokeOperator(options, 'chen');
    options.clock.advance(999);
    expect(await operatorOfToken(options, MAIN, token)).toEqual({ name: 'li', role: 'support' });
    options.clock.advance(1);
    for (const [given, message] of [
      [token, 'The token of the operator li is expired'],
      [revoked, 'The token of the operator chen is revoked'],
      [composeOperatorToken(new Uint8Array(24)), 'The admin token is not valid'],
    ] as const)
      await expect(operatorOfToken(options, MAIN, given)).rejects.toMatchObject({ code: '40003', message });
  });
});
