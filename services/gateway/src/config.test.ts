import { expect, test } from '@jest/globals';
import { loadGatewayConfig } from './config.ts';

const originsOf = (value: string): readonly string[] => loadGatewayConfig({ CONSOLE_FRAME_ORIGINS: value }).consoleFrameOrigins;

test('origins that may show the console are named one by one', () => {
  expect(originsOf('')).toEqual([]);
  expect(originsOf('https://erp.example.com, https://shop.example:8443,http://localhost:3000')).toEqual([
    'https://erp.example.com',
    'https://shop.example:8443',
    'http://localhost:3000',
  ]);
});

test.each([
  '*',
  'https://*.example.com',
  'erp.example.com',
  'http://erp.example.com',
  'https://erp.example.com/',
  "https://a.example 'unsafe-inline'",
  'https://a.example; script-src *',
])('%s is no origin that may show the console', (value) => {
  expect(() => originsOf(value)).toThrow(/CONSOLE_FRAME_ORIGINS must be origins such as https:\/\/erp\.example\.com/);
});

test('at most 20 origins may show the console', () => {
  expect(() => originsOf(Array.from({ length: 21 }, (_, index) => `https://e${index}.example`).join(','))).toThrow(/at most 20/);
});

test('there are 1 to 10 proxies in front of the gateway', () => {
  expect(loadGatewayConfig({}).trustedProxyHops).toBe(1);
  expect(loadGatewayConfig({ TRUSTED_PROXY_HOPS: '2' }).trustedProxyHops).toBe(2);
  for (const value of ['0', '11', '10.0.0.0/8']) {
    expect(() => loadGatewayConfig({ TRUSTED_PROXY_HOPS: value })).toThrow(/TRUSTED_PROXY_HOPS must be an integer from 1 to 10/);
  }
});
