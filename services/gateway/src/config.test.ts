import { expect, test } from '@jest/globals';
import { loadGatewayConfig } from './config.ts';

test('there are 1 to 10 proxies in front of the gateway', () => {
  expect(loadGatewayConfig({}).trustedProxyHops).toBe(1);
  expect(loadGatewayConfig({ TRUSTED_PROXY_HOPS: '2' }).trustedProxyHops).toBe(2);
  for (const value of ['0', '11', '10.0.0.0/8']) {
    expect(() => loadGatewayConfig({ TRUSTED_PROXY_HOPS: value })).toThrow(/TRUSTED_PROXY_HOPS must be an integer from 1 to 10/);
  }
});

test('names every variable that is wrong', () => {
  const env = { PORT: 'x', RATE_LIMITS: 'maybe', ADMIN_TOKEN: 'short', HEADERS_TIMEOUT: '1ms' };
  expect(() => loadGatewayConfig(env)).toThrow(
    /PORT must be.*\n.*ADMIN_TOKEN must have at least 16.*\n.*RATE_LIMITS must be one of on, off.*\n.*HEADERS_TIMEOUT must be 500ms to 1h/,
  );
  expect(() => loadGatewayConfig({ TLS_CERT_FILE: 'a' })).toThrow(/TLS_KEY_FILE is needed/);
  expect(() => loadGatewayConfig({ TLS: 'off', TLS_KEY_FILE: 'a' })).toThrow(/TLS is off/);
  expect(loadGatewayConfig({}).erasureSettleMs).toBe(180_000);
  expect(loadGatewayConfig({ REQUEST_TIMEOUT: '10m' }).erasureSettleMs).toBe(660_000);
  expect(loadGatewayConfig({ ERASURE_SETTLE: '2s' }).erasureSettleMs).toBe(2000);
  expect(() => loadGatewayConfig({ ERASURE_SETTLE: '500ms' })).toThrow(/ERASURE_SETTLE must be 1s to 24h/);
  expect(() => loadGatewayConfig({ ERASURE_SETTLE: '2m', ENVIRONMENT: 'production' })).toThrow(/must not be shorter than .* 180s/);
  expect(() => loadGatewayConfig({ HEADERS_TIMEOUT: '10s', REQUEST_TIMEOUT: '5s' })).toThrow(/HEADERS_TIMEOUT must not be longer/);
});
