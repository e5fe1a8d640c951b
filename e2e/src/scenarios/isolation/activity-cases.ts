import { expect } from '@jest/globals';
import type { AuditLog, FailedCallList, Usage } from '@parcelway/contracts/activity-api';
import type { KeyCreated } from '@parcelway/contracts/key-api';
import { expectRoute } from '@parcelway/harness/route-call';
import { samplePdf } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import type { Cases, Neighbours } from './neighbours.ts';

/** What the keys of another tenant did. */
export function activityCases({ owner, stranger }: Neighbours): Cases {
  /** Route id → what is tried. */
  return {
    listAuditLog: async () => {
      const { key_id } = await expectRoute<KeyCreated>(owner.client, 'createKey', { body: { description: 'of the owner' } });
      const idsOf = async ({ client }: typeof owner) =>
        (await expectRoute<AuditLog>(client, 'listAuditLog')).entries.map(({ resource }) => resource.id);
      await until(async () => (await idsOf(owner)).includes(key_id), { what: 'the entry' });
      expect(await idsOf(stranger)).not.toContain(key_id);
    },
    listFailedCalls: async () => {
      const requestId = `isolated-${Date.now()}`;
      const { status } = await owner.client.call('/open/v1/forecasts/NONE', { headers: { 'x-request-id': requestId } });
      expect(status).toBe(404);
      const found = async ({ client }: typeof owner) =>
        (await expectRoute<FailedCallList>(client, 'listFailedCalls', { query: { request_id: requestId } })).requests.length;
      await until(async () => (await found(owner)) === 1, { what: 'the call' });
      expect(await found(stranger)).toBe(0);
    },
    getUsage: async () => {
      // More than all that the other cases upload.
      const large = samplePdf('x'.repeat(500_000));
      const bytesOf = async ({ client }: typeof owner) => (await expectRoute<Usage>(client, 'getUsage')).total.stored_bytes;
      const before = await bytesOf(stranger);
      expect((await owner.upload('large.pdf', large)).code).toBe('0');
      await until(async () => (await bytesOf(owner)) >= large.length, { within: 15_000, everyMs: 500, what: 'the usage' });
      expect((await bytesOf(stranger)) - before).toBeLessThan(large.length);
    },
  };
}
