import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { encodePhotoId } from '@parcelway/contracts/file-receipt';
import type { Principal } from '@parcelway/contracts/principal';
import { topics } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import { type IntakeResponse, publishAcceptance, system, useIntake, warehouse } from './testing/open-intake.ts';
import { nextEventId, PHOTO, report, viewItem, weighing } from './testing/samples.ts';

const tenant: Principal = { ...system, kind: 'tenant', tenantId: 'tnt_a', scopes: ['forecasts:write'] };

const own = useIntake();
let published: DomainEvent[];

async function collect(): Promise<void> {
  const note = async (event: DomainEvent): Promise<void> => void published.push(event);
  await own.intake.platform.bus.subscribe('test', { 'warehouse.arrived': note, 'warehouse.weighed': note });
}
beforeEach(async () => {
  published = [];
  await collect();
});

const call = (principal: Principal, path: string, init?: RequestInit): Promise<IntakeResponse> => own.intake.call(principal, path, init);
const post = (body: unknown, principal = warehouse): Promise<IntakeResponse> =>
  call(principal, '/warehouse/v1/events', { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
const unclaimed = async (): Promise<readonly Record<string, unknown>[]> =>
  (await call(system, '/internal/v1/unclaimed')).body.data.parcels as Record<string, unknown>[];

const acceptance = (forecastNo: string, trackingNumbers: readonly string[]): Promise<void> =>
  publishAcceptance(own.intake.platform, forecastNo, trackingNumbers);

describe('warehouse intake', () => {
  test('an event waits for its forecast and is published when that comes', async () => {
    const photoId = encodePhotoId(own.intake.platform.fileSecret, { ...PHOTO, warehouse_code: 'WH1', environment: 'sandbox' });
    const event = weighing({ photo_ids: [photoId] });
    expect(await post(event)).toEqual({
      status: 202,
      body: {
        code: '0',
        message: 'success',
        data: {
          accepted: 1,
          duplicates: 0,
          waiting: 1,
          rejected: [],
          warnings: [expect.objectContaining({ index: 0, event_id: event.event_id, rule: 'no_forecast' })],
        },
      },
    });
    expect(await unclaimed()).toEqual([
      {
        event_id: event.event_id,
        warehouse_code: 'WH1',
        type: 'weighing',
        express_no: 'SF 1234-5678',
        forecast_no: null,
        reason: 'no_forecast',
        occurred_at: event.occurred_at,
        received_at: expect.stringMatching(/\+00:00$/),
      },
    ]);
    await acceptance('FC1', ['SF12345678']);
    await until(() => published.length > 0, { what: 'the weighing' });
    expect(published).toMatchObject([
      {
        type: 'warehouse.weighed',
        tenantid: 'tnt_a',
        subject: 'FC1',
        data: { event_id: event.event_id, weight_kg: 1.25, photos: [PHOTO] },
      },
    ]);
    expect(await unclaimed()).toEqual([]);
  });

  test('a warehouse reads what became of its events, and no other warehouse does', async () => {
    const [waits, bad] = [report(), report({ type: 'lost' })];
    await post({ events: [waits, bad] });
    const outcomeOf = async ({ event_id }: typeof waits, warehouseCode = 'WH1') =>
      (await call({ ...warehouse, warehouseCode }, `/warehouse/v1/events/${event_id}`)).body;
    expect((await outcomeOf(waits)).data).toMatchObject({ state: 'waiting', waiting_for: 'no_forecast', code: null });
    expect((await outcomeOf(bad)).data).toMatchObject({ state: 'rejected', waiting_for: null, code: '42201' });
    for (const event of [waits, bad]) expect((await outcomeOf(event, 'WH2')).code).toBe('40403');
  });

  test('serves warehouses only, and shows the unclaimed to the platform only', async () => {
    expect(await post(report(), tenant)).toMatchObject({ status: 403, body: { code: '40301' } });
    expect(await call(warehouse, '/internal/v1/unclaimed')).toMatchObject({ status: 403, body: { code: '40301' } });
    expect(await call(system, '/internal/v1/unclaimed?limit=1001')).toMatchObject({ status: 422, body: { code: '42201' } });
    expect(await call(warehouse, '/warehouse/v1/other')).toMatchObject({ status: 404, body: { code: '40402' } });
    const text = await fetch(`${own.intake.origin}/warehouse/v1/events`, { method: 'POST', body: '{}' });
    expect(text.status).toBe(401);
  });
});

describe('a warehouse that reads a forecast', () => {
  test('sees what it has reported, as soon as the report is taken, and no prices', async () => {
    await publishAcceptance(own.intake.platform, 'FC1', ['SF12345678'], { items: [viewItem()] });
    const read = async () => (await call(warehouse, '/warehouse/v1/forecasts/FC1')).body.data;
    await until(async () => (await call(warehouse, '/warehouse/v1/forecasts/FC1')).status === 200, { what: 'the forecast' });
    expect(await read()).toMatchObject({
      measurements: [],
      photos: [],
      exceptions: [],
      received_items: null,
      items: [{ sku_code: 'MUG' }],
    });
    const photo_id = encodePhotoId(own.intake.platform.fileSecret, { ...PHOTO, warehouse_code: 'WH1', environment: 'sandbox' });
    const of = { forecast_no: 'FC1', express_no: undefined };
    const [weighed, photo, exception, count] = [
      weighing({ ...of, photo_ids: [photo_id] }),
      report({ ...of, type: 'photo', photo_id, image_type: 'package', image_order: 2 }),
      report({ ...of, express_no: 'SF 1234', type: 'exception', reason: 'damaged', text: 'A corner', photo_ids: [photo_id] }),
      report({ ...of, received_items: [{ sku_code: 'MUG', quantity: 24 }] }),
    ] as const;
    expect((await post({ events: [weighed, photo, exception, count] })).body.data).toMatchObject({ accepted: 4, rejected: [] });
    const { id, image_url, file_size, upload_time } = PHOTO;
    const shown = { id, image_url, file_size, upload_time };
    const { event_id, occurred_at } = exception;
    const size = { length_cm: 30, width_cm: 20.5, height_cm: 10, weight_kg: 1.25 };
    expect(await read()).toMatchObject({
      measurements: [{ event_id: weighed.event_id, express_no: null, occurred_at, ...size, photos: [shown] }],
      photos: [{ event_id: photo.event_id, ...shown, image_type: 'package', image_order: 2 }],
      exceptions: [{ event_id, express_no: 'SF 1234', occurred_at, reason: 'damaged', text: 'A corner', photos: [shown] }],
      received_items: [{ sku_code: 'MUG', quantity: 24 }],
    });
    const reads = ['/warehouse/v1/forecasts', '/warehouse/v1/lookup?scan=MUG', '/warehouse/v1/lookup?scan=SF12345678'].map((path) =>
      call(warehouse, path).then(({ body }) => body.data),
    );
    expect(JSON.stringify([await read(), ...(await Promise.all(reads))])).not.toMatch(/price/i);
  });

  describe('with the leave of the operator', () => {
    const allowed = useIntake({ WAREHOUSE_SEES_PRICES: 'on' });

    test('sees the prices of items', async () => {
      await publishAcceptance(allowed.intake.platform, 'FC1', [], { items: [viewItem()] });
      const read = async () => (await allowed.intake.call(warehouse, '/warehouse/v1/forecasts/FC1')).body.data;
      await until(async () => (await read()) !== undefined && (await read())['items'] !== undefined, { what: 'the forecast' });
      expect(await read()).toMatchObject({ items: [viewItem()] });
    });
  });
});

describe('the intake topic', () => {
  const send = (value: string): Promise<void> => own.intake.platform.bus.publish([{ topic: topics.warehouseIntake, key: 'WH7', value }]);
  const deadLetters = () => own.intake.platform.bus.deadLetters(topics.warehouseIntake, 10);

  test('a batch with a bad event is stored without it and becomes a dead letter; redriving it doubles nothing', async () => {
    const good = report({ warehouse_code: 'WH7' });
    await send(JSON.stringify({ events: [good, { event_id: nextEventId(), type: 'lost' }] }));
    await until(async () => (await deadLetters()).length === 1, { what: 'the dead letter' });
    expect((await deadLetters())[0]?.reason).toContain('event 1: 42201 type must be one of');
    expect((await unclaimed()).map((parcel) => parcel.event_id)).toEqual([good.event_id]);
    expect(await own.intake.platform.bus.redrive(topics.warehouseIntake, 10)).toBe(1);
    await until(async () => (await deadLetters()).length === 1, { what: 'the dead letter again' });
    expect(await unclaimed()).toHaveLength(1);
  });
});
