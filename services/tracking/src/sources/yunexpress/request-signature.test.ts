import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { signYunExpressCall } from './request-signature.ts';

const credentials = { token: 'token-1', appSecret: 'app-secret' };
const now = 1_794_873_600_000;
const hmacOf = (text: string): string => createHmac('sha256', 'app-secret').update(text).digest('base64');

test('a call without a body', () => {
  expect(signYunExpressCall({ method: 'GET', uri: '/v1/track-service/info/get' }, credentials, now)).toEqual({
    token: 'token-1',
    date: '1794873600000',
    sign: hmacOf('date=1794873600000&method=GET&uri=/v1/track-service/info/get'),
  });
});

test('a vector that another tool computed', () => {
  const call = { method: 'GET', uri: '/v1/track-service/info/get' } as const;
  expect(signYunExpressCall(call, credentials, now).sign).toBe('G9b5C0viIbfZdrBwTE28U/0ZhtvNjxdIl9rBOb7E1CI=');
});

test('a body comes first', () => {
  const body = '{"waybill_numbers":["YT1"],"subscribe_type":"A","query_type":["Y"]}';
  expect(signYunExpressCall({ method: 'POST', uri: '/v1/track-service/subscribe-by-order', body }, credentials, now).sign).toBe(
    hmacOf(`body=${body}&date=1794873600000&method=POST&uri=/v1/track-service/subscribe-by-order`),
  );
});

test('neither an empty body nor a query is signed', () => {
  const plain = signYunExpressCall({ method: 'GET', uri: '/v1/track-service/info/get' }, credentials, now);
  expect(signYunExpressCall({ method: 'GET', uri: '/v1/track-service/info/get?order_number=YT1', body: '' }, credentials, now)).toEqual(
    plain,
  );
});
