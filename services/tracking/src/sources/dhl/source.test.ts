import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { MockVendor } from '../../testing/mock-vendor.ts';
import { MAX_NODES } from '../../watch/domain/node.ts';
import { sourceDhl } from './source.ts';

const bodyOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

test('a push of too many shipments is refused', () => {
  const shipments = Array.from({ length: MAX_NODES + 1 }, () => ({}));
  expect(() => sourceDhl.pushes?.parse(bodyOf({ shipments }))).toThrow('more than');
});

describe('the activation of a subscription', () => {
  const self = 'https://evil.example/subscription/5d9f6a1e';
  const asks = { scope: 'subscription.validate', self, secret: 'k3yOfTheHook' };

  /** Confirms what a push asks for. @returns the calls, and the error */
  async function confirm(body: Uint8Array, status = 204) {
    const vendor = new MockVendor(sourceDhl, [[status, '']]);
    const call = sourceDhl.pushes?.confirmation?.(body);
    const error = await call?.(vendor.run).catch((cause: unknown) => cause);
    await vendor.close();
    return { sent: vendor.sent, error };
  }

  test('goes to DHL with the secret, whatever address the push names', async () => {
    const { sent, error } = await confirm(bodyOf(asks));
    const headers = { 'DHL-API-Key': 'SECRET-key', 'DHL-API-Hook-Secret': 'k3yOfTheHook' };
    expect([sent, error]).toMatchObject([[{ line: 'POST /tracking/push/v1/subscription/5d9f6a1e', headers }], undefined]);
  });

  test('is asked for by no other push', async () => {
    for (const name of ['push', 'push-ready', 'express'])
      expect((await confirm(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url)))).sent).toEqual([]);
    expect((await confirm(bodyOf([]))).sent).toEqual([]);
  });

  test.each([401, 429, 500])('that gets %d fails, and shows neither key nor secret', async (status) => {
    const { error } = await confirm(bodyOf(asks), status);
    expect(error).toMatchObject({ name: 'SourceRefusal' });
    expect(String(error)).not.toMatch(/SECRET-key|k3yOfTheHook/);
  });

  test.each([
    ...[undefined, 5, '', 'https://evil.example/', `${self}/../x`, `${self}?a=b`, `${self} x`, `/subscription/${'a'.repeat(101)}`].map(
      (wrong) => ({ ...asks, self: wrong }),
    ),
    ...[undefined, 5, '', 'two words', 'a\r\nx: y', 'ü', 'a'.repeat(501)].map((secret) => ({ ...asks, secret })),
  ])('that names no subscription or no secret is refused: %j', (wrong) => {
    expect(() => sourceDhl.pushes?.confirmation?.(bodyOf(wrong))).toThrow(/no (subscription|secret)/);
  });
});

test('the pieces of a shipment are read once, however many rows name some', () => {
  let reads = 0;
  const pieceIds = Array.from({ length: MAX_NODES }, (_, index) => `P${index}`);
  const details = {
    get pieceIds() {
      reads += 1;
      return pieceIds;
    },
  };
  const row = { timestamp: '2026-11-25T08:00:00+01:00', statusCode: 'transit', pieceIds: ['P1'] };
  const parcel = { trackingNumber: 'P1', dispatchedAt: Date.UTC(2026, 10, 20) };
  const { nodes } = sourceDhl.translate({ id: 'S', details, events: pieceIds.map(() => row) }, parcel);
  expect([nodes.length, reads]).toEqual([MAX_NODES, 1]);
});
