import { expect, test } from '@jest/globals';
import { loadGatewayConfig } from './config.ts';

test('there are 1 to 10 proxies in front of the gateway', () => {
  expect(loadGatewayConfig({}).trustedProxyHops).toBe(1);
  expect(loadGatewayConfig({ TRUSTED_PROXY_HOPS: '2' }).trustedProxyHops).toBe(2);
  for (const value of ['0', '11', '10.0.0.0/8']) {
    expect(() => loadGatewayConfig({ TRUSTED_PROXY_HOPS: value })).toThrow(/TRUSTED_PROXY_HOPS must be an integer from 1 to 10/);
  }
});
