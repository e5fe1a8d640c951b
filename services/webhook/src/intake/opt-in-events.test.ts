import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { domainEventExamples } from '@parcelway/contracts/domain-event-examples';
import { optInEventTypes } from '@parcelway/contracts/webhook-event-types';
import { until } from '@parcelway/kernel/testing/until';
import { type Received, type Receiver, startReceiver } from '../testing/receiver.ts';
import { type Harness, openHarness, TENANT } from '../testing/webhook-harness.ts';
import { notifiedEventTypes } from './domain/notified-events.ts';

/** What endpoints were sent of this life, byte for byte, when there were two types; the tracking number came later, at the end. */
const RECORDING = [
  '{"type":"parcel.weighed","timestamp":"2025-11-24T01:15:03.000+00:00","data":{"event_id":"evt_019ab36db5d87a1b8c2d9e3f4a5b6c7d","event_seq":1,"environment":"sandbox","forecast_no":"FC251121K7Q0Z4M2XT","po_number":"PO-2025-1121-001","status":3,"weighed_at":"2025-11-24T09:15:02+08:00"}}',
  '{"type":"tracking.changed","timestamp":"2025-11-26T04:10:00.000+00:00","data":{"event_id":"evt_019abe5a99c07a1b8c2d9e3f4a5b6c7d","event_seq":2,"environment":"sandbox","forecast_no":"FC251121K7Q0Z4M2XT","po_number":"PO-2025-1121-001","previous_admin_status":"Picked Up","admin_status":"In Transit","is_terminal":false,"tracking_number":"YT2632500123456789"}}',
];

let h: Harness;
let r: Receiver;
beforeAll(async () => {
  h = await openHarness();
  r = await startReceiver();
});
afterAll(async () => {
  await h.stop();
  await r.close();
});

const bodiesAt = (path: string): string[] => r.received.flatMap((one: Received) => (one.path === `/hook${path}` ? one.body : []));
interface Named {
  readonly type: string;
}
const dataOf = async (path: string) => (await h.call('GET', path)).data as unknown as Record<string, unknown>;
const feed = async (query = ''): Promise<Named[]> => (await dataOf(`/open/v1/events${query}`))['events'] as Named[];

describe('a parcel whose every event is published', () => {
  test('is to endpoints as before what it was before, and to those that name more the rest as well', async () => {
    await h.register(`${r.url}/before`);
    await h.register(`${r.url}/weighings`, { event_types: ['parcel.weighed'] });
    await h.register(`${r.url}/more`, { event_types: [...optInEventTypes] });
    await h.register(`${r.url}/damaged`, { event_types: ['parcel.exception', 'parcel.completed'], filter: { reason: ['damaged'] } });
    // Topics are read side by side: the weighing is to be there before the tracking.
    expect(notifiedEventTypes[0]).toBe('parcel.weighed');
    for (const type of notifiedEventTypes) {
      await h.publish({ ...domainEventExamples[type], tenantid: TENANT });
      if (type === 'parcel.weighed') await until(() => bodiesAt('/before').length === 1, { what: 'the weighing' });
    }
    const counts = { '/before': 2, '/weighings': 1, '/more': optInEventTypes.length, '/damaged': 1 };
    await until(() => Object.entries(counts).every(([path, count]) => bodiesAt(path).length >= count), { what: 'all' });
    expect(bodiesAt('/before').sort()).toEqual([...RECORDING].sort());
    expect(bodiesAt('/weighings')).toEqual([RECORDING[0]]);
    const more = bodiesAt('/more').map((body) => JSON.parse(body) as { type: string; data: { event_seq: number } });
    expect(more.map(({ type }) => type).sort()).toEqual([...optInEventTypes].sort());
    expect(more.map(({ data }) => data.event_seq).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(bodiesAt('/damaged')).toHaveLength(1);
  });

  test('is in the feed what it was before, and the rest when its types are named', async () => {
    expect((await feed()).map((event) => JSON.stringify(event))).toEqual(RECORDING);
    expect(await feed('?event_types=parcel.arrived')).toMatchObject([{ type: 'parcel.arrived' }]);
    expect(await feed(`?event_types=${[...optInEventTypes, 'parcel.weighed'].join(',')}`)).toHaveLength(10);
  });

  test('is heard by listeners as it is by endpoints', async () => {
    const endpoints = (await dataOf(''))['endpoints'] as { url: string; endpoint_id: string }[];
    const idOf = (path: string) => endpoints.find(({ url }) => url === `${r.url}/${path}`)?.endpoint_id;
    const { next_cursor } = await dataOf('/open/v1/events?limit=1&event_types=forecast.accepted,parcel.weighed');
    const heard = async (query: string): Promise<string[]> => {
      const response = await dataOf(`/sandbox/v1/listen?wait=1&after=${next_cursor}${query}`);
      return (response['messages'] as { event_type: string }[]).map(({ event_type }) => event_type);
    };
    expect(await heard('')).toEqual(['tracking.changed']);
    expect(await heard(`&endpoint_id=${idOf('before')}`)).toEqual(['tracking.changed']);
    expect(await heard(`&endpoint_id=${idOf('damaged')}`)).toEqual(['parcel.exception']);
    expect(await heard('&event_types=parcel.arrived')).toEqual(['parcel.arrived']);
  });

  test.each(optInEventTypes)('can be tried out: a test event of %s', async (type) => {
    const { endpoint_id } = await h.register(`${r.url}/${type}`, {}, 'tnt_tests');
    const sent = await h.call('POST', `/${endpoint_id}/test`, { event_type: type }, 'tnt_tests');
    expect(sent.data).toMatchObject({ event_type: type, test: true });
    await until(() => bodiesAt(`/${type}`).length === 1, { what: 'the test event' });
    expect(JSON.parse(bodiesAt(`/${type}`)[0] as string)).toMatchObject({ type, data: { test: true } });
    await h.call('DELETE', `/${endpoint_id}`, undefined, 'tnt_tests');
  });
});
