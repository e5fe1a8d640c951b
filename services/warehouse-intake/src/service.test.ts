import { beforeEach, describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { encodePhotoId } from '@parcelway/contracts/file-receipt';
import type { Principal } from '@parcelway/contracts/principal';
import { topics } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import { type IntakeResponse, publishAcceptance, system, useIntake, warehouse } from './testing/open-intake.ts';
import { nextEventId, PHOTO, report, traceOf, weighing } from './testing/samples.ts';

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
const publishedIds = (): string[] => published.map((event) => (event.data as { readonly event_id: string }).event_id);
const intakeDone = async (): Promise<boolean> => (await own.intake.platform.bus.lag('warehouse-intake', topics.warehouseIntake)) === 0;

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

  test('what a request reports is published in the trace of the request', async () => {
    await acceptance('FC1', ['SF12345678']);
    await until(async () => (await own.intake.platform.bus.lag('warehouse-intake', topics.forecast)) === 0, { what: 'the acceptance' });
    const body = JSON.stringify(report());
    const send = () => call(warehouse, '/warehouse/v1/events', { method: 'POST', body, headers: { traceparent: traceOf(1) } });
    expect((await send()).status).toBe(202);
    await until(() => published.length > 0, { what: 'the arrival' });
    expect(published[0]?.traceparent).toBe(traceOf(1));
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

  test('acceptances and events that race lose nothing and double nothing', async () => {
    const parcels = Array.from({ length: 40 }, (_, index) => ({ forecastNo: `FC${index}`, number: `RACE${1000 + index}` }));
    const ids: string[] = [];
    await Promise.all(
      parcels.flatMap(({ forecastNo, number }, index) => {
        const events = [report({ express_no: number }), report({ express_no: undefined, forecast_no: forecastNo })];
        ids.push(...events.map((event) => String(event.event_id)));
        const work = [() => acceptance(forecastNo, [number]), ...events.map((event) => () => post(event))];
        return (index % 2 ? work : work.reverse()).map((step) => step());
      }),
    );
    await until(() => published.length >= ids.length, { what: 'every event' });
    expect([...publishedIds()].sort()).toEqual(ids.sort());
    expect(await unclaimed()).toEqual([]);
  });

  test('what waits, and what is published, survives a restart', async () => {
    const event = report();
    await post(event);
    await own.restart();
    await collect();
    expect(await post(event)).toMatchObject({ body: { data: { accepted: 0, duplicates: 1 } } });
    await acceptance('FC1', ['SF12345678']);
    await until(() => published.length > 0, { what: 'the arrival' });
    await own.restart();
    await collect();
    expect(await post(event)).toMatchObject({ body: { data: { accepted: 0, duplicates: 1 } } });
    expect(publishedIds()).toEqual([event.event_id]);
  });
});

describe('the intake topic', () => {
  const send = (value: string): Promise<void> => own.intake.platform.bus.publish([{ topic: topics.warehouseIntake, key: 'WH7', value }]);
  const deadLetters = () => own.intake.platform.bus.deadLetters(topics.warehouseIntake, 10);

  test('takes one event or a batch, and the warehouse as written', async () => {
    const events = [report({ warehouse_code: 'WH7' }), report({ warehouse_code: 'WH8' })];
    await send(JSON.stringify(events[0]));
    await send(JSON.stringify({ events: [events[1]] }));
    await until(async () => (await unclaimed()).length === 2, { what: 'both' });
    expect((await unclaimed()).map((parcel) => [parcel.event_id, parcel.warehouse_code])).toEqual([
      [events[0]?.event_id, 'WH7'],
      [events[1]?.event_id, 'WH8'],
    ]);
    expect(await deadLetters()).toEqual([]);
  });

  test.each([
    ['is no JSON', 'SECRET{', '40001'],
    ['is a bad event', JSON.stringify({ type: 'lost' }), '42201'],
  ])('a message that %s becomes a dead letter and holds up nothing', async (_name, value, code) => {
    await send(value);
    const next = report({ warehouse_code: 'WH7' });
    await send(JSON.stringify(next));
    await until(async () => (await unclaimed()).length === 1, { what: 'the event behind it' });
    await until(intakeDone, { what: 'the end of the topic' });
    const dead = await deadLetters();
    expect(dead).toMatchObject([{ topic: topics.warehouseIntake, group: 'warehouse-intake' }]);
    expect(dead[0]?.reason).toContain(code);
    expect(dead[0]?.reason).not.toContain('SECRET');
  });

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

  test('of messages that come together, one that cannot be processed becomes a dead letter, and all others are published once, in order', async () => {
    await acceptance('FC1', ['SF12345678']);
    const good = Array.from({ length: 6 }, () => weighing());
    const messages = [
      ...good.slice(0, 3).map((event) => JSON.stringify(event)),
      '{',
      ...good.slice(3).map((event) => JSON.stringify(event)),
    ];
    await own.intake.platform.bus.publish(messages.map((value) => ({ topic: topics.warehouseIntake, key: 'WH1', value })));
    const ids = good.map((event) => event.event_id);
    await until(() => publishedIds().length >= ids.length, { what: 'the good events' });
    await until(intakeDone, { what: 'the end of the topic' });
    expect(publishedIds()).toEqual(ids);
    expect(await deadLetters()).toEqual([expect.objectContaining({ reason: expect.stringContaining('40001') })]);
  });
});
