import { expect, test } from '@jest/globals';
import { newToken } from '@parcelway/kernel/ids';
import fc from 'fast-check';
import { expiryInName, expiryInUrl, openToken, sealToken } from './expiring-token.ts';

test('a token comes back with its expiry, and with no other', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4_102_444_800 }), fc.integer({ min: 1, max: 4_102_444_800 }), (one, other) => {
      const token = newToken(16);
      const [expiry, another] = [expiryInUrl(one * 1000), expiryInUrl(other * 1000)];
      const sealed = sealToken('secret', token, expiry);
      expect(sealed).toMatch(/^[A-Za-z0-9_-]{22}$/);
      expect(openToken('secret', sealed, expiry)).toBe(token);
      expect(openToken('secret', sealed, another) === token).toBe(one === other);
      expect(expiryInName(expiry)).toBe(one * 1000);
    }),
  );
});
