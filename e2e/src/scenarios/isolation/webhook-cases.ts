import { expect } from '@jest/globals';
import { callRoute, expectRoute, type RouteCall } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import type { Cases, Neighbours, Paths } from './neighbours.ts';

/** Endpoints, deliveries and events of another tenant. */
export function webhookCases(neighbours: Neighbours): Cases {
  const { stage, owner, stranger, owned, likeMissing, outOfReach } = neighbours;
  const theEndpoint: Paths = async () => {
    const { endpoint_id } = owned;
    return [{ endpoint_id }, { endpoint_id: `${endpoint_id.slice(0, -6)}000000` }];
  };
  const onEndpoint = (id: string, body?: unknown) => outOfReach(id, 'getEndpoint', theEndpoint, body);

  function onDelivery(id: string): () => Promise<void> {
    return async () => {
      const { endpoint_id, delivery_id } = owned;
      await likeMissing(id, { path: { endpoint_id, delivery_id } }, { path: { endpoint_id: 'x', delivery_id: 'y' } }, '40403');
      // Nor under an endpoint of one's own.
      const own = await stranger.createEndpoint({ url: 'http://127.0.0.1:9/' });
      const below = { endpoint_id: own.endpoint_id, delivery_id };
      await likeMissing(id, { path: below }, { path: { ...below, delivery_id: 'y' } }, '40403');
      await expectRoute(stranger.client, 'deleteEndpoint', { path: { endpoint_id: own.endpoint_id } });
    };
  }

  /** Route id → what is tried. */
  return {
    createEndpoint: async () => {
      // Events of the owner go to the owner's endpoints only.
      const receiver = await stage.receiver();
      await stranger.createEndpoint({ url: receiver.url });
      const ownReceiver = await stage.receiver();
      await owner.createEndpoint({ url: ownReceiver.url });
      const mine = await owner.submit({ forecastType: 1 });
      await owner.simulate({ po_number: mine.po_number, step: 'weigh' });
      await ownReceiver.waitForEvent('parcel.weighed', mine.po_number);
      const theirs = await stranger.submit({ forecastType: 1 });
      await stranger.simulate({ po_number: theirs.po_number, step: 'weigh' });
      await receiver.waitForEvent('parcel.weighed', theirs.po_number);
      expect(receiver.received.map((webhook) => webhook.body.data.po_number)).toEqual([theirs.po_number]);
      expect(ownReceiver.received.map((webhook) => webhook.body.data.po_number)).toEqual([mine.po_number]);
    },
    listEndpoints: async () => {
      const list = await expectRoute<{ endpoints: Array<{ endpoint_id: string }> }>(stranger.client, 'listEndpoints');
      expect(list.endpoints.map((endpoint) => endpoint.endpoint_id)).not.toContain(owned.endpoint_id);
    },
    getEndpoint: onEndpoint('getEndpoint'),
    updateEndpoint: onEndpoint('updateEndpoint', { description: 'taken over' }),
    deleteEndpoint: onEndpoint('deleteEndpoint'),
    rotateSecret: onEndpoint('rotateSecret'),
    sendTestEvent: onEndpoint('sendTestEvent'),
    listDeliveries: onEndpoint('listDeliveries'),
    getEndpointFigures: onEndpoint('getEndpointFigures'),
    replayDeliveries: onEndpoint('replayDeliveries', { since: '2026-01-01T00:00:00Z', only: 'all' }),
    getDelivery: onDelivery('getDelivery'),
    listAttempts: onDelivery('listAttempts'),
    resendDelivery: onDelivery('resendDelivery'),
    listEvents: async () => {
      type Feed = { events: Array<{ data: { po_number: string } }>; next_cursor: string };
      const has = ({ events }: Feed): boolean => events.some(({ data }) => data.po_number === owned.po_number);
      const mine = await until(
        async () => {
          const page = await expectRoute<Feed>(owner.client, 'listEvents');
          return has(page) ? page : undefined;
        },
        { what: 'the feed of the owner' },
      );
      expect(has(await expectRoute<Feed>(stranger.client, 'listEvents'))).toBe(false);
      // A cursor of one feed is refused in another, as one that was never given out.
      const [stolen, invented] = await Promise.all(
        [mine.next_cursor, 'cinvented'].map((after) => callRoute(stranger.client, 'listEvents', { query: { after } })),
      );
      expect(stolen).toMatchObject({ status: 422, code: '42201' });
      expect(stolen?.data).toEqual(invented?.data);
    },
    listen: async () => {
      const as = (endpoint_id: string): RouteCall => ({ query: { endpoint_id } });
      await likeMissing('listen', as(owned.endpoint_id), as('ep_019ab37d4e507a1b8c2d9e3f4a5b6c7d'), '40403');
      type Heard = { secret: string };
      const [mine, theirs] = [await expectRoute<Heard>(owner.client, 'listen'), await expectRoute<Heard>(stranger.client, 'listen')];
      expect(theirs.secret).not.toBe(mine.secret);
    },
  };
}
