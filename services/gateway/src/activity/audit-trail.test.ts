import { beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import type { AuditRecord, AuditStore } from './audit-collection.ts';
import { AuditTrail } from './audit-trail.ts';

const change = {
  tenantId: 'tnt_1',
  action: 'key.created',
  actorType: 'key',
  actorId: 'key_1',
  address: '203.0.113.7',
  resourceType: 'key',
  resourceId: null,
  requestId: 'req_1',
} as const;

describe('the audit trail', () => {
  const entries = new Map<string, AuditRecord>();
  let failures = 0;
  const fail = (): void => {
    if (failures === 0) return;
    failures -= 1;
    throw new Error('out');
  };
  const store: AuditStore = {
    async add(entry) {
      fail();
      entries.set(entry.entryId, entry);
    },
    async finish(entry) {
      fail();
      entries.set(entry.entryId, entry);
    },
    async remove({ entryId }) {
      fail();
      entries.delete(entryId);
    },
    list: async () => ({ records: [...entries.values()], next: null }),
  };
  let trail: AuditTrail;
  beforeEach(() => {
    entries.clear();
    failures = 0;
    trail = new AuditTrail({ store, clock: new ManualClock(1000), logger: silentLogger, retryMs: 5 });
  });

  test('keeps no long id, and no secret in one', async () => {
    const key = `pf_test_${'a'.repeat(38)}`;
    const entry = await trail.begin({ ...change, resourceId: 'A'.repeat(14_000) });
    expect([...entries.values()]).toMatchObject([{ resourceId: `${'A'.repeat(127)}…` }]);
    await entry.end('success', `x${key}`);
    expect([...entries.values()]).toMatchObject([{ resourceId: 'xpf_test_****' }]);
    entries.clear();
    await trail.begin({ ...change, resourceId: key });
    expect([...entries.values()]).toMatchObject([{ resourceId: 'pf_test_****' }]);
  });

  test('tries again to write an outcome, and waits for that at the end', async () => {
    const entry = await trail.begin(change);
    failures = 2;
    void entry.end('success');
    await trail.settled();
    expect([...entries.values()]).toMatchObject([{ outcome: 'success' }]);
  });

  test('leaves an outcome unknown that cannot be written', async () => {
    const entry = await trail.begin(change);
    failures = 3;
    await entry.end('success');
    expect([[...entries.values()].map(({ outcome }) => outcome), failures]).toEqual([['unknown'], 0]);
  });
});
