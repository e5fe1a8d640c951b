import { afterEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { until } from '@parcelway/kernel/testing/until';
import { closeWorlds, good, hang, openWorld, TENANT, type World } from '../testing/dispatch-world.ts';
import type { FullContent, WebhookRequest } from './ports.ts';

afterEach(closeWorlds);

const THIN = { render: () => '{"type":"parcel.weighed","timestamp":"t","data":{"event_id":"evt","forecast_no":"FC1"}}' };
const out = (): Promise<never> => Promise.reject(AppError.unavailable('The forecast service does not respond'));
const hostsOf = (w: World): string[] => w.sent.map(({ url }) => new URL(url).hostname);

/** Content that a test can change. */
function changeable(read: FullContent['read']): FullContent & { now: FullContent['read'] } {
  const content = { now: read, read: (...given: Parameters<FullContent['read']>) => content.now(...given) };
  return content;
}

describe('an endpoint with full payload', () => {
  test('is sent the data beside one that is sent the stored body', async () => {
    const w = await openWorld(
      async () => good,
      undefined,
      changeable(async () => ({ weight_kg: 2 })),
    );
    await w.add('full', { payload: 'full' });
    await w.add('thin');
    await w.event(THIN);
    await until(() => w.sent.length === 2, { what: 'both' });
    const bodies = Object.fromEntries(w.sent.map(({ url, body }) => [new URL(url).hostname, body]));
    expect(bodies['thin.example']).toBe(THIN.render());
    expect(JSON.parse(bodies['full.example'] as string)).toEqual({
      type: 'parcel.weighed',
      timestamp: 't',
      data: { event_id: 'evt', forecast_no: 'FC1', weighing: { weight_kg: 2 } },
    });
    // What is stored and shown stays thin.
    expect(await w.stores.log.body(TENANT, 'evt_1')).toBe(THIN.render());
  });

  test('is not tried while the data cannot be had, which is no failure of it; it is tried soon after', async () => {
    const content = changeable(out);
    const w = await openWorld(async () => good, undefined, content);
    await w.add('full', { payload: 'full' });
    for (let events = 0; events < 4; events += 1) await w.event(THIN);
    await until(() => w.fullPayloads.length >= 4, { what: 'all to be postponed' });
    for (let minutes = 0; minutes < 5; minutes += 1) {
      w.clock.advance(60_000);
      await w.looks();
    }
    expect([w.sent, w.reported]).toEqual([[], []]);
    const waiting = await w.deliveries('full');
    expect(waiting.map(({ status, attemptCount, step }) => [status, attemptCount, step])).toEqual(Array(4).fill(['pending', 0, 0]));
    expect(await w.stores.endpoints.get(TENANT, 'full')).toMatchObject({ failingSince: null, circuit: null, slowedUntil: null });
    content.now = async () => 1;
    await until(
      async () => {
        w.clock.advance(1_000);
        return w.sent.length === 4;
      },
      { what: 'all to be sent' },
    );
    expect(w.reported.map(({ attempt }) => attempt.outcome)).toEqual(Array(4).fill('succeeded'));
  });

  test('is sent thin after a quarter of an hour without the data', async () => {
    const w = await openWorld(async () => good, undefined, changeable(out));
    await w.add('full', { payload: 'full' });
    await w.event(THIN);
    await until(
      async () => {
        w.clock.advance(60_000);
        await w.looks();
        return w.sent.length === 1;
      },
      { what: 'it to be sent' },
    );
    expect(JSON.parse(w.sent[0]?.body as string)).toMatchObject({ data: { event_id: 'evt', full_omitted: 'unavailable' } });
  });

  test('does not hold up those with thin payload, though no data comes and hundreds wait', async () => {
    const w = await openWorld(
      async () => good,
      undefined,
      changeable(() => new Promise(() => undefined)),
    );
    for (let endpoints = 0; endpoints < 40; endpoints += 1) await w.add(`full-${endpoints}`, { payload: 'full' });
    await w.add('thin');
    for (let events = 0; events < 20; events += 1) await w.event(THIN);
    await until(() => w.sent.length === 20, { what: 'the thin ones' });
    expect(new Set(hostsOf(w))).toEqual(new Set(['thin.example']));
  });

  test('does not wait for slow receivers of another tenant, which hold more than their share', async () => {
    const large = 'x'.repeat(1_000_000);
    const isSlow = ({ url }: WebhookRequest): boolean => url.includes('slow');
    const w = await openWorld(
      (request, interruption) => (isSlow(request) ? hang(request, interruption) : Promise.resolve(good)),
      undefined,
      changeable(async () => large),
    );
    for (let endpoints = 0; endpoints < 10; endpoints += 1) await w.add(`slow-${endpoints}`, { payload: 'full' });
    for (let events = 0; events < 10; events += 1) await w.event(THIN);
    const slow = (): number => w.sent.filter(isSlow).length;
    await until(() => slow() >= 16, { what: 'all that the slow ones may hold' });
    await w.add('full', { tenantId: 'tnt_two', payload: 'full' });
    for (let events = 0; events < 30; events += 1) await w.event({ ...THIN, tenantId: 'tnt_two' });
    await until(() => w.sent.length - slow() === 30, { what: 'those of the other tenant' });
    await w.looks();
    // A quarter of 64 MB, and one for each endpoint.
    expect(slow()).toBeLessThanOrEqual(16 + 10);
    const reached = new Set(hostsOf(w).filter((host) => host.startsWith('slow')));
    expect(reached.size).toBe(10);
  });

  test('that is deleted while its data is read is sent nothing', async () => {
    let response: (value: unknown) => void = () => undefined;
    const content = changeable(() => new Promise((resolve) => (response = resolve)));
    const w = await openWorld(hang, undefined, content);
    await w.add('full', { payload: 'full' });
    await w.event(THIN);
    await w.looks();
    await w.stores.endpoints.remove(TENANT, 'full');
    w.dispatcher.endpointRemoved('full');
    response({});
    await w.looks();
    expect(w.reported).toEqual([]);
  });
});
