import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { MAX_NODES } from '../../watch/domain/node.ts';
import { activationInDhlPush, parseDhlPush } from './push.ts';

const bytes = (name: string): Uint8Array => readFileSync(new URL(`fixtures/${name}.json`, import.meta.url));
const bodyOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

describe('a push', () => {
  test('has the digest of its bytes as id, which is the same when it comes again, also after a restart', () => {
    const id = 'iJ3xTRkEq9SjYVb_hqdr5mzfAHPUdlf70wztmCtYAME';
    expect(parseDhlPush(Buffer.from('{"shipments":[]}')).id).toBe(id);
  });

  test('may be in the form of a response to a query, or one shipment alone', () => {
    expect(parseDhlPush(bytes('express')).traces).toMatchObject([{ trackingNumber: '4471882063', carrier: 'express' }]);
    expect(parseDhlPush(bodyOf({ id: '1', status: { statusCode: 'transit' } })).traces).toMatchObject([{ trackingNumber: '1' }]);
    expect(parseDhlPush(bodyOf({ shipments: [] })).traces).toEqual([]);
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
