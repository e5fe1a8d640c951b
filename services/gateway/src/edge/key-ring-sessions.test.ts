import { describe, expect, test } from '@jest/globals';
import { guessed, key, record, setUp, tokens } from '../testing/key-ring.ts';
import { SessionTokens } from './session-tokens.ts';

describe('sessions', () => {
  test('are found without a promise once their key is known, with the same principal, and end with what is known of it', async () => {
    const { ring, store, clock } = setUp();
    const keys = ring();
    const token = tokens.seal(store.record.hash, ['weighing:read'], clock.now() + 60_000);
    const first = await keys.authenticate(token, 'a');
    expect(first).toMatchObject({ session: { kind: 'link', expiresAt: clock.now() + 60_000 }, principal: { keyId: 'key_1' } });
    const second = keys.authenticate(token, 'a');
    expect(second).not.toBeInstanceOf(Promise);
    expect((await second).principal).toBe(first.principal);
    expect((await keys.authenticate(key, 'a')).session).toBeNull();
    expect(store.reads).toBe(1);
    store.record = record({ revokedAt: clock.now() });
    keys.forget('key_1');
    expect((await keys.authenticate(token, 'a')).known.record.revokedAt).toBe(clock.now());
  });

  test('that have ended are no guesses: nobody else at the address pays for a page that still asks', async () => {
    const { ring, store, clock } = setUp();
    const keys = ring();
    const ended = tokens.seal(store.record.hash, null, clock.now());
    const ofNoKey = tokens.seal('gone', null, clock.now() + 60_000);
    const refusal = async (token: string) => {
      try {
        await keys.authenticate(token, 'a');
        return undefined;
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    for (let tried = 0; tried < 200; tried += 1) expect([await refusal(ended), await refusal(ofNoKey)]).toEqual(['40003', '40003']);
    expect(store.reads).toBe(1);
    expect((await keys.authenticate(key, 'a')).known.record.keyId).toBe('key_1');
    expect(await refusal(guessed(3))).toBe('40003');
  });

  test('that were not made here are guesses', async () => {
    const { ring, store, clock } = setUp();
    const keys = ring();
    const forged = new SessionTokens(['another-secret-of-at-least-32-characters']).seal(store.record.hash, null, clock.now() + 60_000);
    const codes = new Set<string>();
    for (let tried = 0; tried < 200; tried += 1) {
      try {
        await keys.authenticate(forged, 'a');
      } catch (error) {
        codes.add((error as { code: string }).code);
      }
    }
    expect([...codes]).toEqual(['40003', '42901']);
    expect(store.reads).toBe(0);
  });
});
