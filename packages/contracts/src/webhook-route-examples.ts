import { exampleParcel } from './example-parcel.ts';
import type { RouteExample } from './route-example.ts';
import type { Delivery, DeliveryAttempt, ReplayRequest } from './webhook-delivery-api.ts';
import type { EndpointChange, EndpointCreation, WebhookEndpoint } from './webhook-endpoint-api.ts';
import { tenantEventTypes } from './webhook-event-types.ts';
import { webhookExamples } from './webhook-examples.ts';
import type { EndpointFiguresTotal } from './webhook-figures-api.ts';

const { poNumber } = exampleParcel;

const endpoint: WebhookEndpoint = {
  endpoint_id: 'ep_0193a5b3e1f07a1b8c2d9e3f4a5b6c7d',
  url: 'https://shop.example.com/hooks/parcels',
  event_types: ['parcel.weighed', 'tracking.changed'],
  description: 'Shop back end',
  filter: {},
  headers: { Authorization: '***' },
  metadata: { team: 'logistics' },
  rate_limit: null,
  payload: 'thin',
  status: 'enabled',
  disabled_reason: null,
  pause_end_time: null,
  health: { state: 'ok', failing_since: null, next_probe_time: null, slowdown_end_time: null, disable_time: null },
  former_secret_end_time: null,
  create_time: '2025-11-21T08:03:00.000+00:00',
  update_time: '2025-11-21T08:03:00.000+00:00',
};
const withSecret = { ...endpoint, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD' };

const delivery: Delivery = {
  delivery_id: 'dlv_019ab37d4e507a1b8c2d9e3f4a5b6c7d',
  endpoint_id: endpoint.endpoint_id,
  event_id: webhookExamples['parcel.weighed'].data.event_id,
  event_type: 'parcel.weighed',
  po_number: poNumber,
  status: 'pending',
  attempt_count: 1,
  next_attempt_time: '2025-11-24T01:15:08.400+00:00',
  next_attempt_reason: 'schedule',
  test: false,
  last_status_code: 503,
  create_time: '2025-11-24T01:15:03.100+00:00',
};

const attempt: DeliveryAttempt = {
  attempt_id: 'att_019ab37d4eb47a1b8c2d9e3f4a5b6c7d',
  attempt_number: 1,
  url: endpoint.url,
  start_time: '2025-11-24T01:15:03.200+00:00',
  duration_ms: 148,
  outcome: 'failed',
  status_code: 503,
  error: 'The response had status 503',
  error_code: 'status',
  retry_after: null,
  response_body: 'upstream connect error',
};

const figures: EndpointFiguresTotal = { attempts: 240, succeeded: 236, failed: 4, duration_ms_median: 152, duration_ms_p95: 431 };
const noAttempts: EndpointFiguresTotal = { attempts: 0, succeeded: 0, failed: 0, duration_ms_median: null, duration_ms_p95: null };

const creation: EndpointCreation = {
  url: endpoint.url,
  event_types: ['parcel.weighed', 'tracking.changed'],
  description: endpoint.description,
  headers: { Authorization: 'Bearer 4f1c9a' },
  metadata: { team: 'logistics' },
};
const onlyTheEnd: EndpointCreation = {
  url: endpoint.url,
  event_types: ['tracking.changed'],
  filter: { is_terminal: true },
  rate_limit: 20,
};
const everything: EndpointCreation = { url: endpoint.url, event_types: [...tenantEventTypes], payload: 'full' };
const pause: EndpointChange = { status: 'paused' };
const subscription: EndpointChange = { event_types: ['tracking.changed'] };
const replay: ReplayRequest = { since: '2025-11-24T00:00:00+08:00', until: '2025-11-25T00:00:00+08:00', only: 'undelivered' };

/** Route id → example, for webhooks and what else brings events. */
export const webhookRouteExamples: Readonly<Record<string, RouteExample>> = {
  createEndpoint: { requests: { endpoint: creation, onlyTheEnd, everything }, data: { ...withSecret, warnings: [] } },
  listEndpoints: { requests: {}, data: { endpoints: [endpoint] } },
  getEndpoint: { requests: {}, data: endpoint },
  updateEndpoint: {
    requests: { pause, subscription },
    data: {
      ...endpoint,
      status: 'paused',
      pause_end_time: '2025-11-29T07:00:00.000+00:00',
      update_time: '2025-11-22T07:00:00.000+00:00',
      warnings: [],
    },
  },
  deleteEndpoint: { requests: {}, data: { endpoint_id: endpoint.endpoint_id, deleted: true } },
  rotateSecret: {
    requests: { plain: {}, leaked: { end_former_secret: true } },
    data: { ...withSecret, former_secret_end_time: '2025-11-25T08:03:00.000+00:00', warnings: [] },
  },
  sendTestEvent: {
    requests: { plain: {}, weighing: { event_type: 'parcel.weighed' } },
    data: {
      ...delivery,
      event_type: 'endpoint.test',
      warnings: [],
      po_number: null,
      attempt_count: 0,
      next_attempt_reason: 'first',
      test: true,
      last_status_code: null,
    },
  },
  listDeliveries: { requests: {}, data: { deliveries: [delivery], next_cursor: null } },
  getEndpointFigures: {
    requests: {},
    data: {
      days: [
        { date: '2025-11-23', ...noAttempts },
        { date: '2025-11-24', ...figures },
      ],
      total: figures,
    },
  },
  getDelivery: { requests: {}, data: { ...delivery, body: JSON.stringify(webhookExamples['parcel.weighed']) } },
  listAttempts: { requests: {}, data: { attempts: [attempt] } },
  resendDelivery: { requests: {}, data: delivery },
  replayDeliveries: { requests: { oneDay: replay }, data: { scheduled: 12, next_cursor: null, warnings: [] } },
  listEvents: {
    requests: {},
    data: {
      events: [webhookExamples['parcel.weighed'], webhookExamples['tracking.changed']],
      next_cursor:
        '2.B9rcwvewdLNqcast5kwJdt8pztc3HmpimF5YIdsaPXE6ieFLZmUqM6E-3dkh6NJF10Tga7wAjO2WvNyhUhc16TR4EMbMGizqJLm_YX-kUV6w-yQUQpvTcQlkvZ0',
      has_more: false,
    },
  },
  listen: {
    requests: {},
    data: {
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
      messages: [
        {
          event_id: delivery.event_id,
          event_type: 'parcel.weighed',
          headers: {
            'content-type': 'application/json',
            'webhook-id': delivery.event_id,
            'webhook-timestamp': '1763946903',
            'webhook-signature': 'v1,9OBijSykIOKdHtW+3kYwoLbXrRuks/Shs7rfapIFzxM=',
          },
          body: JSON.stringify(webhookExamples['parcel.weighed']),
        },
      ],
      next_cursor:
        '2.B9rcwvewdLNqcast5kwJdt8pztc3HmpimF5YIdsaPXE6ieFLZmUqM6E-3dkh6NJF10Tga7wAjO2WvNyhUhc16TR4EMbMGizqJLm_YX-kUV6w-yQUQpvTcQlkvZ0',
    },
  },
};

/** Parameter of a path → example. */
export const webhookParameterExamples: Readonly<Record<string, string>> = {
  endpoint_id: endpoint.endpoint_id,
  delivery_id: delivery.delivery_id,
};
