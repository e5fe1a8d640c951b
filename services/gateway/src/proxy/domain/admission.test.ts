import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { sampleKey } from '../../testing/sample-key.ts';
import { assertOneKey, type CheckedHead, compileAllowedAddresses, isDead, principalOfKey, refusalOf, routeOf } from './admission.ts';
import type { KeyRecord, KnownKey } from './key.ts';
import type { RouteMatch, TableRoute } from './route-table.ts';

const EXPIRES = 1_000_000;

const record = (given: Partial<KeyRecord> = {}): KeyRecord => sampleKey({ scopes: ['weighing:read', 'files:write'], ...given });
const known = (given: Partial<KeyRecord> = {}, tenantStatus: KnownKey['tenantStatus'] = 'active'): KnownKey => ({
  record: record(given),
  tenantStatus,
});
/** Of a key that may be used from the addresses that its record says, or from those of `from`. */
const refusal = (key: KnownKey, to: TableRoute, now: number, from = '192.0.2.1') =>
  refusalOf({ known: key, allows: compileAllowedAddresses(key.record.allowedAddresses) }, to, from, now);
const route = (given: Partial<TableRoute> = {}): TableRoute => ({
  id: 'getWeighing',
  method: 'GET',
  path: '/open/v1/forecasts/weighing',
  service: 'forecast',
  access: 'tenant',
  scopes: ['weighing:read'],
  rateClass: 'standard',
  sandboxOnly: false,
  ...given,
});

describe('a key is dead', () => {
  test('from the instant of its expiry on, and not a millisecond before', () => {
    const expiring = record({ expiresAt: EXPIRES });
    expect([EXPIRES - 1, EXPIRES, EXPIRES + 1].map((now) => isDead(expiring, now))).toEqual([false, true, true]);
  });

  test('once it is revoked, whatever its expiry', () => {
    expect(isDead(record({ revokedAt: 1 }), 0)).toBe(true);
    expect(isDead(record({ revokedAt: 1, expiresAt: EXPIRES }), 0)).toBe(true);
  });

  test('never, without either', () => expect(isDead(record(), Number.MAX_SAFE_INTEGER)).toBe(false));
});

describe('a key does not open a route', () => {
  test.each<[string, KnownKey, Partial<TableRoute>, string]>([
    ['dead before suspended', known({ revokedAt: 1 }, 'suspended'), {}, '40003'],
    ['suspended before the wrong holder', known({}, 'suspended'), { access: 'warehouse' }, '40302'],
    ['suspended before the wrong address', known({ allowedAddresses: ['198.51.100.0/24'] }, 'suspended'), {}, '40302'],
    ['of the wrong holder', known(), { access: 'warehouse', scopes: ['warehouse:write'] }, '40301'],
    ['without a scope of the route', known(), { scopes: ['tracking:read'] }, '40301'],
  ])('%s', (_what, key, given, code) => {
    expect(refusal(key, route(given), 0)).toMatchObject({ code });
  });
});

describe('a key with a list of addresses', () => {
  const limited = known({ allowedAddresses: ['198.51.100.0/24', '2001:db8::1'] });

  test.each(['198.51.100.9', '2001:db8:0:0::1'])('may be used from %s', (from) => {
    expect(refusal(limited, route(), 0, from)).toBeUndefined();
  });

  test('is refused from elsewhere, before its scopes, with the address and what to do', () => {
    const refused = refusal(limited, route({ scopes: ['tracking:read'] }), 0, '192.0.2.1');
    expect(refused).toMatchObject({ code: '40301', message: expect.stringMatching(/192\.0\.2\.1.*allowed_addresses/) });
    expect(refusal(limited, route(), 0, '')?.message).toContain('unknown');
    expect(refusal(limited, route(), 0, 'x'.repeat(5000))?.message.length).toBeLessThan(300);
  });
});

describe('a key opens a route', () => {
  test.each<[string, TableRoute['scopes']]>([
    ['that asks for no scope', []],
    ['with one of its scopes', ['tracking:read', 'files:write']],
  ])('%s', (_what, scopes) => expect(refusal(known(), route({ scopes }), 0)).toBeUndefined());
});

test('the principal of a key names its holder', () => {
  const holder = { kind: 'warehouse', warehouseCode: 'SZ01' } as const;
  const common = { keyId: 'key_1', scopes: ['weighing:read', 'files:write'], environment: 'production' };
  expect(principalOfKey(record(), 'production')).toEqual({ ...common, kind: 'tenant', tenantId: 'tnt_a', warehouseCode: null });
  expect(principalOfKey(record({ holder }), 'production')).toEqual({ ...common, kind: 'warehouse', tenantId: null, warehouseCode: 'SZ01' });
});

describe('the first checks, in this order', () => {
  const matchOf = (method: string): RouteMatch => (method === 'GET' ? { route: route() } : { allow: 'GET' });
  const good: CheckedHead = {
    fault: undefined,
    forwardedProto: 'https',
    target: { path: '/open/v1/forecasts/weighing', full: '/open/v1/forecasts/weighing' },
    apiKey: 'k',
    keyCount: 1,
  };
  const codeOf = (method: string, given: Partial<CheckedHead>): string => {
    try {
      const head = { ...good, ...given };
      routeOf(head, head.target && matchOf(method), true);
      assertOneKey(head);
      return '0';
    } catch (error) {
      return error instanceof AppError ? error.code : String(error);
    }
  };
  const wrong = { fault: 'Two lengths', forwardedProto: 'http', target: undefined, keyCount: 2, apiKey: null };

  test.each<[string, string, Partial<CheckedHead>, string]>([
    ['the head', 'POST', wrong, '40001'],
    ['HTTPS', 'POST', { ...wrong, fault: undefined }, '40002'],
    ['the path', 'POST', { target: undefined, keyCount: 2, apiKey: null }, '40402'],
    ['the method', 'POST', { keyCount: 2, apiKey: null }, '40501'],
    ['several keys', 'GET', { keyCount: 2, apiKey: null }, '40003'],
    ['no key', 'GET', { keyCount: 0, apiKey: null }, '40101'],
    ['nothing', 'GET', {}, '0'],
  ])('%s', (_what, method, given, code) => expect(codeOf(method, given)).toBe(code));

  test('probes need no HTTPS', () =>
    expect(codeOf('GET', { forwardedProto: null, target: { path: '/healthz', full: '/healthz' } })).toBe('0'));
});

test('a key without a list may be used from everywhere', () => expect(compileAllowedAddresses([])).toBeNull());

test('an entry that cannot be read opens nothing', () => {
  expect(compileAllowedAddresses(['everywhere'])?.('203.0.113.7')).toBe(false);
});
