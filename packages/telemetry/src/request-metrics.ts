import { LATENCY_SECONDS, type MetricDescription, REQUEST_SECONDS } from './metric-description.ts';

/** `upstream` is the service that a gateway passes requests on to. */
const UPSTREAM_LABELS = ['service_name', 'upstream', 'body'] as const;

/** Metrics of requests over HTTP: at every service, and from the gateway to services. */
export const requestMetrics = [
  {
    name: 'http_server_request_duration_seconds',
    type: 'histogram',
    help: 'Time from a request to the end of its response, by route and status.',
    labels: ['service_name', 'http_request_method', 'http_route', 'http_response_status_code'],
    buckets: REQUEST_SECONDS,
  },
  { name: 'http_server_active_requests', type: 'gauge', help: 'Requests in flight.', labels: ['service_name'] },
  {
    name: 'parcelway_client_limits_total',
    type: 'counter',
    help: 'Connections and requests that were refused or ended because their client reached a limit: read_stall, connections, requests_under_way, upload_streams, unread_responses or pipelined_requests.',
    labels: ['service_name', 'limit'],
  },
  {
    name: 'parcelway_upstream_requests',
    type: 'gauge',
    help: 'Requests that this gateway has given to a service and that have no response yet, by service and body: small up to 64 kB and without one, large above. Those count whose client has gone away.',
    labels: UPSTREAM_LABELS,
  },
  {
    name: 'parcelway_upstream_requests_limit',
    type: 'gauge',
    help: 'Requests that this gateway gives to a service at once, by service and body.',
    labels: UPSTREAM_LABELS,
  },
  {
    name: 'parcelway_upstream_wait_seconds',
    type: 'histogram',
    help: 'Time that requests waited for their turn at a service. Requests that did not wait are not counted.',
    labels: ['service_name', 'upstream'],
    buckets: LATENCY_SECONDS,
  },
] as const satisfies readonly MetricDescription[];
