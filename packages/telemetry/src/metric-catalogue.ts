/** A metric as it is exposed: what dashboards, alerts and the documentation are checked against. */
export interface MetricDescription {
  /** Name in Prometheus; seconds and counts as its conventions say. */
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds, of histograms. */
  readonly buckets?: readonly number[];
}

/** Bounds of the times of requests and messages, seconds. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Bounds of times that include a wait or another party, seconds. */
const LATENCY_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const DELAY_SECONDS = [1, 5, 15, 30, 60, 300, 900, 3600];

/** `connection` is the id of an operator's connection; of tenants' connections (`owner` tenant) it is the name of their source. */
const SOURCE_LABELS = ['connection', 'owner'] as const;

const MESSAGING_LABELS = ['messaging_consumer_group_name', 'messaging_destination_name'] as const;

/** A metric of a service, which the first of its labels names. */
const metric = <const T, const N, const L extends readonly string[]>(type: T, name: N, labels: L, help: string) => ({
  name,
  type,
  help,
  labels: ['service_name', ...labels] as const,
});
const counter = <const N, const L extends readonly string[]>(name: N, labels: L, help: string) => metric('counter', name, labels, help);
const gauge = <const N, const L extends readonly string[]>(name: N, labels: L, help: string) => metric('gauge', name, labels, help);
const histogram = <const N, const L extends readonly string[]>(name: N, labels: L, buckets: readonly number[], help: string) => ({
  ...metric('histogram', name, labels, help),
  buckets,
});

/**
 * Every metric of the platform's own. Names and labels follow OpenTelemetry's semantic conventions for HTTP and messaging
 * where those have one; the rest begins with `parcelway_`. None has a label whose values a tenant chooses.
 */
export const metricCatalogue = [
  histogram(
    'http_server_request_duration_seconds',
    ['http_request_method', 'http_route', 'http_response_status_code'],
    REQUEST_SECONDS,
    'Time from a request to the end of its response, by route and status.',
  ),
  gauge('http_server_active_requests', [], 'Requests in flight.'),
  counter(
    'parcelway_client_limits_total',
    ['limit'],
    'Connections and requests that were refused or ended because their client reached a limit: read_stall, connections, requests_under_way, upload_streams, unread_responses or pipelined_requests.',
  ),
  // `upstream` is the service that a gateway passes requests on to.
  gauge(
    'parcelway_upstream_requests',
    ['upstream', 'body'],
    'Requests that this gateway has given to a service and that have no response yet, by service and body: small up to 64 kB and without one, large above. Those count whose client has gone away.',
  ),
  gauge(
    'parcelway_upstream_requests_limit',
    ['upstream', 'body'],
    'Requests that this gateway gives to a service at once, by service and body.',
  ),
  histogram(
    'parcelway_upstream_wait_seconds',
    ['upstream'],
    LATENCY_SECONDS,
    'Time that requests waited for their turn at a service. Requests that did not wait are not counted.',
  ),
  histogram(
    'messaging_process_duration_seconds',
    [...MESSAGING_LABELS, 'outcome'],
    REQUEST_SECONDS,
    'Time to handle a message, once for each try, by outcome: done, retried or dead_lettered.',
  ),
  gauge('parcelway_consumer_lag_messages', MESSAGING_LABELS, 'Messages of a topic that a consumer group has not finished.'),
  counter('parcelway_dead_letters_total', MESSAGING_LABELS, 'Messages moved to the dead letters.'),
  gauge('parcelway_outbox_messages', [], 'Messages that wait to be published.'),
  gauge('parcelway_outbox_oldest_age_seconds', [], 'Age of the oldest message that waits to be published; 0 when none does.'),
  counter('parcelway_outbox_published_total', [], 'Messages published from the outbox.'),
  counter('parcelway_outbox_failures_total', [], 'Batches of the outbox that could not be published.'),
  counter(
    'parcelway_webhook_attempts_total',
    ['outcome'],
    'Attempts to deliver a webhook: delivered, rejected by a response other than 2xx, timeout, unreachable, or refused by the address guard.',
  ),
  histogram('parcelway_webhook_attempt_duration_seconds', ['outcome'], LATENCY_SECONDS, 'Duration of an attempt, by outcome.'),
  counter(
    'parcelway_webhook_deliveries_total',
    ['outcome'],
    'Deliveries that ended: delivered, exhausted after the last attempt, or held for a disabled endpoint.',
  ),
  histogram(
    'parcelway_webhook_first_attempt_delay_seconds',
    [],
    LATENCY_SECONDS,
    'Time from an event to the beginning of the first attempt to deliver it, whatever its outcome.',
  ),
  histogram(
    'parcelway_webhook_event_latency_seconds',
    [],
    LATENCY_SECONDS,
    "Time from an event to the receiver's 2xx, of deliveries whose first attempt succeeded.",
  ),
  gauge(
    'parcelway_webhook_endpoints',
    ['state'],
    'Endpoints by their state, as this process knows them: well, or failing after 20 failures in a row.',
  ),
  counter(
    'parcelway_webhook_full_payloads_total',
    ['outcome'],
    'Full payloads: added, sent thin (too_large, not_found, unavailable), or postponed because the service with the data was unavailable.',
  ),
  gauge('parcelway_webhook_due_deliveries', [], 'Deliveries whose time has come and that are not sent yet.'),
  gauge('parcelway_webhook_oldest_due_age_seconds', [], 'Age of the oldest due delivery; 0 when none is due.'),
  gauge(
    'parcelway_intake_unclaimed_events',
    ['reason'],
    'Events of warehouses that wait, by reason: no_forecast, warehouse_mismatch, ambiguous or takes_no_dispatch. Counted to 10000 each.',
  ),
  gauge(
    'parcelway_intake_declared_numbers',
    ['tenant_id'],
    'Logistics numbers that a tenant declares and no warehouse has seen, of the tenants with the most.',
  ),
  counter('parcelway_intake_resolutions_total', ['action'], 'Unclaimed parcels that were resolved by hand, by action: claim or dismiss.'),
  histogram(
    'parcelway_carrier_request_duration_seconds',
    ['carrier', 'outcome'],
    LATENCY_SECONDS,
    'Duration of a request to a carrier, by outcome: ok, failed, timeout, or rejected by the open circuit.',
  ),
  gauge('parcelway_carrier_circuit_open', ['carrier'], '1 while the circuit of a carrier is open or half open.'),
  histogram('parcelway_tracking_poll_delay_seconds', [], DELAY_SECONDS, 'Time from the due time of a poll to the request to the carrier.'),
  gauge('parcelway_tracking_overdue_shipments', [], 'Tracked shipments that are due to be polled.'),
  gauge('parcelway_tracking_oldest_overdue_seconds', [], 'Age of the oldest due poll of a shipment; 0 when none is due.'),
  counter('parcelway_tracking_unserved_polls_total', [], 'Polls of parcels whose carrier no connection serves.'),
  counter(
    'parcelway_source_calls_total',
    [...SOURCE_LABELS, 'kind', 'outcome'],
    'Calls to a tracking source, by kind (register, query, other) and outcome: ok, throttled, quota_used_up, access_denied, unavailable or wrong_response. A query with several pages counts once.',
  ),
  counter(
    'parcelway_source_numbers_total',
    [...SOURCE_LABELS, 'kind'],
    'Tracking numbers in calls to a source, by kind: register or query.',
  ),
  counter(
    'parcelway_source_waits_total',
    [...SOURCE_LABELS, 'reason'],
    'Questions that have to wait, by reason: rate, daily_quota, blocked after a refusal of the source, or full when too many wait.',
  ),
  counter(
    'parcelway_source_pushes_total',
    [...SOURCE_LABELS, 'outcome'],
    'Pushes of a source, by outcome: accepted, refused for its signature, unreadable, or busy when the source has to send it again.',
  ),
  counter(
    'parcelway_source_missed_pushes_total',
    SOURCE_LABELS,
    'Polls that found news of a known parcel at a source that has pushed before: no push brought these news.',
  ),
  counter(
    'parcelway_source_unknown_codes_total',
    SOURCE_LABELS,
    'Codes of a source that the platform does not know, once for each response or push with the code.',
  ),
  counter(
    'parcelway_source_left_out_rows_total',
    [...SOURCE_LABELS, 'reason'],
    'Rows of a source that are not shown, once for each response or push with the row, by reason: too_old, ahead of its time, or unreadable.',
  ),
  gauge('parcelway_source_calls_used', ['connection'], "Calls of an operator's connection since 00:00 UTC, of all replicas together."),
  gauge(
    'parcelway_source_calls_limit',
    ['connection'],
    "Calls that an operator's connection may make in a day; only where the source has such a limit.",
  ),
  gauge(
    'parcelway_source_last_push_timestamp_seconds',
    ['connection'],
    "Time of the last proved push to an operator's connection, to the minute; only after the first one.",
  ),
  counter(
    'parcelway_documents_total',
    ['outcome'],
    'Product labels with their packing slips that were to be generated, by outcome: generated, failed, or refused because too many waited.',
  ),
  histogram(
    'parcelway_document_generation_seconds',
    [],
    LATENCY_SECONDS,
    'Time to generate and store a product label with its packing slip, without the wait in the queue.',
  ),
  counter(
    'parcelway_retention_expired_total',
    ['kind'],
    'Forecasts whose retention has ended, by kind: forecast when it was deleted, files when only its PDFs and photos were.',
  ),
  counter('parcelway_retention_skipped_total', [], 'Failures that the retention skipped.'),
  gauge(
    'parcelway_retention_overdue_seconds',
    [],
    'For how long the retention of the oldest forecast that the last turn found had ended; 0 when it found none, and in replicas that do not have the work.',
  ),
  counter('parcelway_gauge_read_failures_total', [], 'Readings of gauges that failed; the gauges kept their last values meanwhile.'),
  counter(
    'parcelway_log_lines_lost_total',
    [],
    'Log lines that the process could not write: the disk is full, or nobody reads them. In embedded mode the gateway counts them.',
  ),
  gauge('parcelway_ready', [], '1 when the service can do its work, 0 when it cannot.'),
  gauge('parcelway_build_info', ['version'], 'Always 1; the version is in its label.'),
] as const satisfies readonly MetricDescription[];

type Described = (typeof metricCatalogue)[number];

/** Names of metrics of a type. */
export type MetricName<T extends MetricDescription['type']> = Extract<Described, { type: T }>['name'];

/** The labels that a metric takes besides `service_name`, which the service's own view of the metrics sets. */
export type MetricLabels<N extends Described['name']> = {
  readonly [L in Exclude<Extract<Described, { name: N }>['labels'][number], 'service_name'>]: string | number;
};
