import { describe, expect, test } from '@jest/globals';
import type { FailedCall, Usage } from '@parcelway/contracts/activity-api';
import type { ApiKey, CreatedTenant } from '@parcelway/contracts/admin-api';
import type { CreatedOperator } from '@parcelway/contracts/operator-api';
import type { ParcelSearchResult } from '@parcelway/contracts/parcel-search-api';
import type { PlatformQueues } from '@parcelway/contracts/queues-api';
import type { TenantDetail } from '@parcelway/contracts/tenant-figures-api';
import { newPoNumber } from '@parcelway/harness/merchant';
import { parcelctlJson, runParcelctl } from '@parcelway/harness/parcelctl';
import { routeById } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { useSharedStage } from '../use-stage.ts';

/* Operators with tokens of their own, and what they do with parcelctl. */

const stage = useSharedStage();
const main = (): Record<string, string> => ({ DATA_DIR: stage.platform.dataDirectory });

/** An operator, as whom parcelctl acts. */
async function operator(name: string, role: string): Promise<Record<string, string>> {
  const { token } = await parcelctlJson<CreatedOperator>(['operator', 'create', name, '--role', role], main());
  return { PARCEL_ADMIN_URL: stage.platform.quickstart.admin.url, PARCEL_ADMIN_TOKEN: token };
}

describe('an operator', () => {
  test('may do what the role allows, until the token is revoked', async () => {
    const support = await operator('support-1', 'support');
    const { identity } = await stage.operator.newMerchant();
    const key = await parcelctlJson<ApiKey>(['key', 'issue', '--tenant', identity.tenantId], support);
    expect(key.tenant_id).toBe(identity.tenantId);
    const refused = await runParcelctl(['tenant', 'suspend', identity.tenantId], support);
    expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('This call needs the role admin')]);
    await parcelctlJson(['operator', 'revoke', 'support-1'], main());
    await until(async () => (await runParcelctl(['tenant', 'list'], support)).status === 1, {
      within: 5000,
      what: 'the token to be refused',
    });
  }, 60_000);
});

describe('a tenant', () => {
  test('is created with a key that works, shown with figures, and renamed', async () => {
    const created = await parcelctlJson<CreatedTenant>(['tenant', 'create', '--name', 'With key', '--with-key'], main());
    const client = stage.platform.client(String(created.key?.key));
    expect((await client.call('/open/v1/me')).code).toBe('0');
    const owner = await stage.operator.newMerchant();
    await owner.submit({});
    const { tenantId } = owner.identity;
    const reader = await operator('reader-1', 'read');
    const shown = await parcelctlJson<TenantDetail>(['tenant', 'show', tenantId], reader);
    expect(shown).toMatchObject({ id: tenantId, keys: { alive: 1 }, webhook_endpoints: { enabled: 0 } });
    expect(shown.parcels).toContainEqual({ status_name: 'ACCEPTED', count: 1, has_more: false });
    expect(shown.last_activity_time).not.toBeNull();
    expect(await parcelctlJson(['tenant', 'rename', tenantId, 'Other name'], main())).toMatchObject({ name: 'Other name' });
  }, 60_000);
});

describe('a failed call', () => {
  test('is found by its request id, with what the response said, and is counted in the usage', async () => {
    const reader = await operator('reader-4', 'read');
    const [owner, other] = [await stage.operator.newMerchant(), await stage.operator.newMerchant()];
    const { tenantId } = owner.identity;
    const response = await owner.client.call(routeById('submitForecast').path, { body: { po_number: 'P1' } });
    const requestId = String(response.headers['x-request-id']);
    const find = async (of: string): Promise<readonly FailedCall[]> => {
      const found = await parcelctlJson<{ requests: FailedCall[] }>(['tenant', 'requests', of, '--request-id', requestId], reader);
      return found.requests;
    };
    const found = await until(
      async () => {
        const calls = await find(tenantId);
        return calls.length > 0 && calls;
      },
      { what: 'the call to be recorded' },
    );
    expect(found).toMatchObject([
      { request_id: requestId, route: '/open/v1/forecasts', status: response.status, code: '42201', data: response.data },
    ]);
    expect(await find(other.identity.tenantId)).toEqual([]);
    const shown = await runParcelctl(['tenant', 'requests', tenantId, '--code', '42201'], reader);
    expect([shown.status, shown.stdout]).toEqual([0, expect.stringContaining(requestId)]);
    const counted = async (): Promise<boolean> =>
      (await parcelctlJson<Usage>(['tenant', 'usage', tenantId], reader)).total.failed_calls === 1;
    await until(counted, { within: 20_000, everyMs: 500, what: 'the call to be counted' });
  }, 60_000);
});

describe('parcelctl queues', () => {
  test('says what waits in each service', async () => {
    const reader = await operator('reader-3', 'read');
    const queues = () => parcelctlJson<PlatformQueues>(['queues'], reader);
    await stage.clerk.report(stage.clerk.event({ type: 'arrival', express_no: newPoNumber('LOST') }));
    const isUnclaimed = async (): Promise<boolean> =>
      (await queues()).queues.some(({ queue, waiting }) => queue === 'unclaimed_events' && waiting > 0);
    await until(isUnclaimed, { what: 'the event to be counted' });
    const known = await queues();
    expect(known.unknown).toEqual([]);
    const named = known.queues.map(({ service, queue }) => `${service} ${queue}`);
    for (const name of ['gateway outbox', 'forecast outbox', 'forecast events', 'webhook webhook_deliveries', 'tracking tracking_polls'])
      expect(named).toContain(name);
  });
});

describe('parcelctl parcel find', () => {
  test('finds a parcel of any tenant by each of its numbers, with its weighing', async () => {
    const reader = await operator('reader-2', 'read');
    const owner = await stage.operator.newMerchant();
    const number = newPoNumber('SF');
    const { forecast_no, po_number } = await owner.submit({ trackingNumber: number });
    await stage.clerk.untilForecast(forecast_no);
    const weighing = stage.clerk.weighing({ express_no: number, weight_kg: 7.25 });
    await stage.clerk.report(weighing);
    const find = (text: string) => parcelctlJson<ParcelSearchResult>(['parcel', 'find', text], reader);
    const found = await until(
      async () => {
        const { parcels } = await find(po_number);
        return parcels[0]?.weighing ? parcels : undefined;
      },
      { what: 'the weighing of the parcel' },
    );
    expect(found).toMatchObject([
      { tenant_id: owner.identity.tenantId, forecast_no, po_number, status_name: 'WEIGHED', weighing: { weight_kg: 7.25 }, dispatch: null },
    ]);
    const matches = [];
    for (const text of [forecast_no.toLowerCase(), number.toLowerCase(), String(weighing['event_id'])])
      matches.push((await find(text)).parcels.map((parcel) => [parcel.forecast_no, parcel.matched_by]));
    expect(matches).toEqual([[[forecast_no, 'forecast_no']], [[forecast_no, 'tracking_number']], [[forecast_no, 'event_id']]]);
    expect((await find(`${po_number}X`)).parcels).toEqual([]);
  }, 60_000);
});

describe('parcelctl warehouse close', () => {
  test('closes a warehouse for new forecasts', async () => {
    await parcelctlJson(['warehouse', 'add', '--code', 'CLOSING', '--name', 'Closing'], main());
    expect(await parcelctlJson(['warehouse', 'close', 'CLOSING'], main())).toMatchObject({
      code: 'CLOSING',
      close_time: expect.any(String),
    });
    const { warehouses } = await parcelctlJson<{ warehouses: { code: string; close_time?: string }[] }>(['warehouse', 'list'], main());
    expect(warehouses.find(({ code }) => code === 'CLOSING')?.close_time).toBeDefined();
    expect((await runParcelctl(['warehouse', 'close', 'NONE'], main())).status).toBe(1);
  }, 60_000);
});
