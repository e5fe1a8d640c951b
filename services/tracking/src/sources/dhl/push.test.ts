import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { MAX_NODES } from '../../watch/domain/node.ts';
import { activationInDhlPush, parseDhlPush } from './push.ts';

const bytes = (name: string): Uint8Array => readFileSync(new URL(`fixtures/${name}.json`, import.meta.url));
const bodyOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

describe('a push', () => {
  test('may be in the form of a response to a query, or one shipment alone', () => {
    expect(parseDhlPush(bytes('express'))).toMatchObject([{ trackingNumber: '4471882063' }]);
    expect(parseDhlPush(bodyOf({ id: '1', status: { statusCode: 'transit' } }))).toMatchObject([{ trackingNumber: '1' }]);
    expect(parseDhlPush(bodyOf({ shipments: [] }))).toEqual([]);
  });

  test.each([
    [[{ id: '1', status: {} }], 'not an object'],
    [{ id: '1' }, 'no form'],
    [{ id: {}, status: {} }, 'no form'],
    [{ scope: 'constructor' }, 'no form'],
    [{ scope: ['subscription.ready'] }, 'no form'],
    [{ scope: 'subscription.push', shipments: {} }, 'no shipments'],
    [{ shipments: [null, 5, { id: '1', status: 'delivered' }, { id: '1', status: {}, events: 'none' }] }, 'No shipment'],
    [{ shipments: Array.from({ length: MAX_NODES + 1 }, () => ({})) }, 'more than'],
  ])('of the form %j is refused', (message, reason) => {
    expect(() => parseDhlPush(bodyOf(message))).toThrow(reason);
  });
});

describe('the activation of a subscription', () => {
  const self = 'https://api-eu.dhl.com/tracking/push/v1/subscription/5d9f6a1e';

  test('has the id and the secret that DHL waits for', () => {
    const subscriptionId = '5d9f6a1e-2c0b-4a59-9f53-2f6a7f0c1d77';
    expect(activationInDhlPush(bytes('push-validate'))).toEqual({ subscriptionId, secret: 'k3yOfTheHook-0001' });
  });

  test('is asked for by no other push', () => {
    for (const name of ['push', 'push-ready', 'express']) expect(activationInDhlPush(bytes(name))).toBeUndefined();
    expect(activationInDhlPush(bodyOf([]))).toBeUndefined();
  });

  test.each([undefined, 5, '', 'https://evil.example/', `${self}/../x`, `${self}?a=b`, `${self} x`, `/subscription/${'a'.repeat(101)}`])(
    'with %j as itself is refused',
    (wrong) => {
      expect(() => activationInDhlPush(bodyOf({ scope: 'subscription.validate', self: wrong, secret: 's' }))).toThrow('no subscription');
    },
  );

  test.each([undefined, 5, '', 'two words', 'a\r\nx: y', 'ü', 'a'.repeat(501)])('with the secret %j is refused', (secret) => {
    expect(() => activationInDhlPush(bodyOf({ scope: 'subscription.validate', self, secret }))).toThrow('no secret');
  });
});
