import { recentRow } from '@parcelway/harness/sources/source-server';
import type { RawClient } from '../../raw-client.ts';
import type { GrownStage } from './grown-stage.ts';
import { CONNECTION_ID } from './make-model.ts';
import { changing, deepPage, nextSeed, type Operation, once, reading } from './operation.ts';

const ENDPOINTS = '/open/v1/webhook-endpoints';
const FEED = '/open/v1/events';
const PUSHES = `/carriers/v1/17track/${CONNECTION_ID}`;
/** Each parcel that was delivered has a webhook. */
const DELIVERIES = 0.75;
/** Events in the feed by default, of a parcel, about. */
const EVENTS = 1.5;

interface Delivery {
  readonly delivery_id: string;
  readonly event_id: string;
}

const byMerchant = ({ merchant }: GrownStage): RawClient => merchant;
const deliveriesOf = ({ endpointId }: GrownStage): string => `${ENDPOINTS}/${endpointId}/deliveries`;

/** Some of the newest deliveries. */
const known = once(async (stage: GrownStage): Promise<readonly Delivery[]> => {
  const { deliveries } = await stage.merchant.get<{ deliveries: readonly Delivery[] }>(`${deliveriesOf(stage)}?limit=100`);
  return deliveries;
});

function ofDelivery(name: string, pathOf: (stage: GrownStage, delivery: Delivery) => string): Operation {
  return {
    name,
    settles: false,
    prepare: async (stage) => {
      const deliveries = await known(stage);
      return (at) => stage.merchant.send('GET', pathOf(stage, deliveries[at % deliveries.length] as Delivery), null);
    },
  };
}

/** What merchants do with webhooks, and what carriers push. */
export const webhookOperations: readonly Operation[] = [
  changing('Push of a carrier', async ({ vendor, parcel, outside }, count) => {
    const pushes = Array.from({ length: count }, () => {
      const rows = [recentRow('in transit', 30), { ...recentRow('delivered', 1), text: `Left at place ${nextSeed()}` }];
      return vendor.signPush(parcel(nextSeed()).outboundNumber, { rows });
    });
    return (at) => {
      const { body, headers } = pushes[at] as (typeof pushes)[number];
      return outside.push(PUSHES, body, headers);
    };
  }),
  reading('List webhook endpoints', byMerchant, () => ENDPOINTS),
  reading('List deliveries: first page', byMerchant, deliveriesOf),
  reading('List deliveries: failed ones', byMerchant, (stage) => `${deliveriesOf(stage)}?status=failed`),
  deepPage('List deliveries: deep page', byMerchant, deliveriesOf, DELIVERIES),
  ofDelivery('Find the delivery of an event', (stage, { event_id }) => `${deliveriesOf(stage)}?event_id=${event_id}`),
  ofDelivery('Read a delivery', (stage, { delivery_id }) => `${deliveriesOf(stage)}/${delivery_id}`),
  ofDelivery('List the attempts of a delivery', (stage, { delivery_id }) => `${deliveriesOf(stage)}/${delivery_id}/attempts`),
  changing('Resend a delivery', async (stage) => {
    const deliveries = await known(stage);
    return (at) =>
      stage.merchant.send('POST', `${deliveriesOf(stage)}/${(deliveries[at % deliveries.length] as Delivery).delivery_id}/resend`, '{}');
  }),
  reading('Feed of events: first page', byMerchant, () => FEED),
  deepPage('Feed of events: deep page', byMerchant, () => FEED, EVENTS, 'after'),
  reading(
    'Feed of events: since an hour ago',
    byMerchant,
    () => `${FEED}?since=${encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())}`,
  ),
];
