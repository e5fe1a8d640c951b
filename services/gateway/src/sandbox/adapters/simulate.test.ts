import { describe, expect, test } from '@jest/globals';
import type { Principal } from '@parcelway/contracts/principal';
import type { Simulation } from '@parcelway/contracts/sandbox-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { type WarehouseEvent, warehouseEventSchemas } from '@parcelway/contracts/warehouse-api';
import type { Warning } from '@parcelway/contracts/warnings';
import type { ServiceCall, ServiceClient } from '@parcelway/http/service-client';
import { ManualClock } from '@parcelway/kernel/clock';
import { simulate } from './simulate.ts';

const caller: Principal = {
  kind: 'tenant',
  tenantId: 'tnt_1',
  warehouseCode: null,
  keyId: 'key_1',
  scopes: ['forecasts:write'],
  environment: 'sandbox',
};

const cause = { requestId: 'req_1', traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00' };

/** Services that know one forecast, and note what they are asked. */
function services(
  over: { rejected?: object[]; forecasts?: object[]; trackingNumber?: string | undefined } = {},
): Pick<ServiceClient, 'call'> & { calls: ServiceCall[] } {
  const calls: ServiceCall[] = [];
  const forecast = { forecast_no: 'FC1', po_number: 'PO 1', warehouse_code: 'SZ01', status_name: 'ACCEPTED' };
  const responses: Record<string, object> = {
    '/open/v1/forecasts?po_number=PO%201': {
      forecasts: over.forecasts ?? [{ ...forecast, forecast_no: 'FC0', status_name: 'CANCELLED' }, forecast],
    },
    '/internal/v1/forecasts/detail?tenant_id=tnt_1&forecast_no=FC1': { items: [{}, { tracking_number: over.trackingNumber }] },
    '/warehouse/v1/photos': { photo_id: 'photo' },
    '/warehouse/v1/events': { accepted: 1, duplicates: 0, rejected: over.rejected ?? [] },
    '/internal/v1/simulated-nodes': {},
  };
  return {
    calls,
    async call<T>(call: ServiceCall): Promise<T> {
      calls.push(call);
      const response = responses[call.path];
      if (response === undefined) throw new Error(`unexpected ${call.path}`);
      return response as T;
    },
  };
}

async function play(
  step: Omit<Simulation, 'po_number'>,
  known = services(),
): Promise<{ events: WarehouseEvent[]; calls: ServiceCall[]; ids: string[]; warnings: readonly Warning[] }> {
  const result = await simulate({ services: known, clock: new ManualClock(0) }, caller, { po_number: 'PO 1', ...step }, cause);
  expect(result).toMatchObject({ po_number: 'PO 1', forecast_no: 'FC1', step: step.step });
  const reported = known.calls.find((call) => call.path === '/warehouse/v1/events');
  const events = (reported?.body as { events: WarehouseEvent[] } | undefined)?.events ?? [];
  for (const event of events) expect(compileValidator(warehouseEventSchemas[event.type]).errors(event)).toEqual([]);
  return { events, calls: known.calls, ids: result.event_ids, warnings: result.warnings };
}

describe('a simulation', () => {
  test('plays every step of the warehouse with events that the intake takes', async () => {
    for (const [step, type] of [
      ['arrive', 'arrival'],
      ['weigh', 'weighing'],
      ['process', 'processing'],
      ['put_away', 'put_away'],
      ['dispatch', 'dispatch'],
      ['exception', 'exception'],
      ['hold', 'hold'],
      ['release', 'release'],
    ] as const) {
      const { events, ids } = await play({ step });
      expect(events).toMatchObject([{ type, warehouse_code: 'SZ01', forecast_no: 'FC1', occurred_at: '1970-01-01T00:00:00.000+00:00' }]);
      expect(ids).toEqual(events.map((event) => event.event_id));
    }
  });

  test('weighs with defaults or what is given, and uploads as many photos as are asked for', async () => {
    const plain = await play({ step: 'weigh' });
    expect(plain.events[0]).toMatchObject({ length_cm: 30, width_cm: 20, height_cm: 10, weight_kg: 1.25, photo_ids: ['photo'] });
    const given = await play({ step: 'weigh', length_cm: 1, width_cm: 2, height_cm: 3, weight_kg: 4, photos: 3 });
    const photo_ids = ['photo', 'photo', 'photo'];
    expect(given.events[0]).toMatchObject({ length_cm: 1, width_cm: 2, height_cm: 3, weight_kg: 4, photo_ids });
    const bodies = given.calls.filter((call) => call.path === '/warehouse/v1/photos').map((call) => String(call.body));
    expect(new Set(bodies).size).toBe(3);
    expect((await play({ step: 'weigh', photos: 0 })).events[0]).toMatchObject({ photo_ids: [] });
  });

  test('reports an exception with defaults or what is given, and a hold with or without a reason', async () => {
    expect((await play({ step: 'exception' })).events).toMatchObject([{ reason: 'damaged', photo_ids: ['photo'] }]);
    const given = await play({ step: 'exception', exception_reason: 'prohibited', exception_text: 'A battery', photos: 2 });
    expect(given.events).toMatchObject([{ reason: 'prohibited', text: 'A battery', photo_ids: ['photo', 'photo'] }]);
    expect((await play({ step: 'hold', hold_reason: 'customs' })).events).toMatchObject([{ reason: 'customs' }]);
    expect((await play({ step: 'hold' })).events[0]).not.toHaveProperty('reason');
  });

  test.each([
    ['put_away', 2, [{ field: 'step', message: expect.stringContaining('type 2 forecast') }]],
    ['put_away', 1, []],
    ['process', 2, []],
  ] as const)('%s of a type %i forecast warns when it has no effect', async (step, forecast_type, warnings) => {
    const forecasts = [{ forecast_no: 'FC1', po_number: 'PO 1', warehouse_code: 'SZ01', status_name: 'WEIGHED', forecast_type }];
    const played = await play({ step }, services({ forecasts }));
    expect(played.events).toHaveLength(1);
    expect(played.warnings).toEqual(warnings);
  });

  test("dispatches under the given number, the forecast's first, or one of its own", async () => {
    expect((await play({ step: 'dispatch', tracking_number: 'ABCD1', carrier_code: 'dhl' })).events[0]).toMatchObject({
      tracking_number: 'ABCD1',
      carrier_code: 'dhl',
    });
    expect((await play({ step: 'dispatch' }, services({ trackingNumber: 'T-1234' }))).events[0]).toMatchObject({
      tracking_number: 'T-1234',
      carrier_code: 'simulated',
    });
    expect((await play({ step: 'dispatch' })).events[0]).toMatchObject({ tracking_number: expect.stringMatching(/^SIM[A-Z0-9]{8}$/) });
  });

  test('gives a node to the simulated carrier', async () => {
    const { calls, ids } = await play({ step: 'track', admin_status: 'In Transit', content: 'on its way' });
    expect(ids).toEqual([]);
    expect(calls.at(-1)).toMatchObject({
      service: 'tracking',
      principal: { kind: 'system', tenantId: null },
      body: { tenant_id: 'tnt_1', forecast_no: 'FC1', admin_status: 'In Transit', content: 'on its way' },
    });
  });

  test('says what the intake rejects, and that there is no such forecast', async () => {
    const refusing = services({ rejected: [{ index: 0, code: '40902', message: 'cancelled' }] });
    await expect(play({ step: 'arrive' }, refusing)).rejects.toMatchObject({ code: '40902', message: 'cancelled' });
    await expect(play({ step: 'arrive' }, services({ forecasts: [] }))).rejects.toMatchObject({ code: '40401' });
  });
});
