import { expect, jest, test } from '@jest/globals';
import type { Erasure } from '@parcelway/contracts/tenant-data-api';
import { until } from '@parcelway/kernel/testing/until';
import { useStage } from '../use-stage.ts';
import { fullTenant, settledSoon } from './tenants.ts';
import { placesWith } from './what-is-stored.ts';

jest.setTimeout(240_000);

/** More than the erasure takes: it waits for what is on its way, and after a kill for its lease. */
const FINISHED_WITHIN_MS = 150_000;

const stage = useStage({ FAILPOINT: 'erasure.after-step@4:kill', ...settledSoon });

test('an erasure goes on after a kill in its middle, and leaves nothing', async () => {
  const tenant = await fullTenant(stage, 'GONE');
  const path = `/admin/v1/tenants/${tenant.tenantId}/erasure`;
  await stage.operator.admin.expectOk(path, { method: 'POST' });
  // Embedded, the kill ends all of the platform; distributed, the gateway alone, which is started again.
  await until(async () => !stage.platform.running || stage.platform.services().some(({ starts }) => starts > 1), {
    within: 60_000,
    what: 'the kill',
  });
  if (!stage.platform.running) await stage.platform.start({ FAILPOINT: '' });
  const finished = await until(
    async () => {
      const erasure = await stage.operator.admin.expectOk<Erasure>(path);
      return erasure.state === 'finished' ? erasure : undefined;
    },
    { within: FINISHED_WITHIN_MS, what: 'the erasure to end', everyMs: 500 },
  );
  expect(finished.removed.map(({ service }) => service)).toContain('forecast');
  expect(await placesWith(stage.platform, [tenant.tenantId, ...tenant.marks])).toEqual([]);
});
