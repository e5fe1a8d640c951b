import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Principal } from '@parcelway/contracts/principal';
import { ManualClock } from '@parcelway/kernel/clock';
import { PrincipalSigner, PrincipalVerifier } from './principal-token.ts';

const secret = 's'.repeat(32);
const principal: Principal = {
  kind: 'tenant',
  tenantId: 'tnt_1',
  warehouseCode: null,
  keyId: 'key_1',
  scopes: ['forecasts:write'],
  environment: 'sandbox',
};

const refused = expect.objectContaining({ code: '40003' });
let clock: ManualClock;
beforeEach(() => {
  clock = new ManualClock(0);
});

describe('principal tokens', () => {
  test('are signed once per principal and renewed before they expire', () => {
    const signer = new PrincipalSigner(secret, clock);
    const verifier = new PrincipalVerifier([secret], clock, 'sandbox');
    const first = signer.sign(principal);
    expect(signer.sign(principal)).toBe(first);
    clock.advance(40_000);
    const second = signer.sign(principal);
    expect(second).not.toBe(first);
    expect(verifier.verify(first)).toEqual(principal);
    clock.advance(20_000);
    expect(() => verifier.verify(first)).toThrow(refused);
    expect(verifier.verify(second)).toEqual(principal);
  });

  test('are refused when absent, forged, of another secret or expired', () => {
    const token = new PrincipalSigner(secret, clock).sign(principal);
    const verifier = new PrincipalVerifier(['x'.repeat(32)], clock, 'sandbox');
    expect(() => verifier.verify(undefined)).toThrow(expect.objectContaining({ code: '40101' }));
    expect(() => verifier.verify(token)).toThrow(refused);
    const good = new PrincipalVerifier([secret], clock, 'sandbox');
    const [body, signature] = token.split('.') as [string, string];
    const other = Buffer.from(JSON.stringify({ ...principal, tenantId: 'tnt_2', exp: 60_000 })).toString('base64url');
    expect(() => good.verify(`${other}.${signature}`)).toThrow(refused);
    expect(() => good.verify(body)).toThrow(refused);
    clock.advance(60_000);
    expect(() => good.verify(token)).toThrow(refused);
  });

  test('of another environment with the same secret are refused', () => {
    const token = new PrincipalSigner(secret, clock).sign({ ...principal, environment: 'production' });
    expect(() => new PrincipalVerifier([secret], clock, 'sandbox').verify(token)).toThrow(refused);
    expect(new PrincipalVerifier([secret], clock, 'production').verify(token)).toMatchObject({ environment: 'production' });
  });

  test('with anything behind the signature are refused', () => {
    const token = new PrincipalSigner(secret, clock).sign(principal);
    const verifier = new PrincipalVerifier([secret], clock, 'sandbox');
    for (const more of ['.', '.x', ' ', '=']) {
      expect(() => verifier.verify(token + more)).toThrow(refused);
    }
  });

  test('of a former secret are accepted during a rotation', () => {
    const token = new PrincipalSigner(secret, clock).sign(principal);
    expect(new PrincipalVerifier(['n'.repeat(32), secret], clock, 'sandbox').verify(token)).toEqual(principal);
  });
});
