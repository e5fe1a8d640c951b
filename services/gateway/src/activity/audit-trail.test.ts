import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { setUpStores } from '../testing/set-up-stores.ts';
import type { AuditStore } from './audit-collection.ts';
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
  let audit: AuditStore;
  let trail: AuditTrail;
  beforeEach(() => {
    ({ audit } = setUpStores().stores.activity);
    trail = new AuditTrail({ store: audit, clock: new ManualClock(1000), logger: silentLogger, retryMs: 5 });
  });
  const entries = async () => (await audit.list(undefined, { limit: 10 })).records;
  /** Some of the next writes of outcomes fail. */
  const fail = (times: number) => {
    const finish = jest.spyOn(audit, 'finish');
    for (let time = 0; time < times; time += 1) finish.mockRejectedValueOnce(new Error('out'));
    return finish;
  };

  test('keeps no long id, and no secret in one', async () => {
    const key = `pf_test_${'a'.repeat(38)}`;
    const entry = await trail.begin({ ...change, resourceId: 'A'.repeat(14_000) });
    expect(await entries()).toMatchObject([{ resourceId: `${'A'.repeat(127)}…` }]);
    await entry.end('success', `x${key}`);
    expect(await entries()).toMatchObject([{ resourceId: 'xpf_test_****' }]);
    await (await trail.begin({ ...change, resourceId: key })).end('success');
    expect((await entries()).map(({ resourceId }) => resourceId)).toContain('pf_test_****');
  });

  test('tries again to write an outcome, and waits for that at the end', async () => {
    const entry = await trail.begin(change);
    fail(2);
    void entry.end('success');
    await trail.settled();
    expect(await entries()).toMatchObject([{ outcome: 'success' }]);
  });

  test('leaves an outcome unknown that cannot be written', async () => {
    const entry = await trail.begin(change);
    const finish = fail(3);
    await entry.end('success');
    expect([(await entries()).map(({ outcome }) => outcome), finish.mock.calls.length]).toEqual([['unknown'], 3]);
  });
});
