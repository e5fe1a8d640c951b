import { LATENCY_SECONDS, type MetricDescription, REQUEST_SECONDS } from './metric-description.ts';
import { requestMetrics } from './request-metrics.ts';

const DELAY_SECONDS = [1, 5, 15, 30, 60, 300, 900, 3600] as const;

/** `connection` is the id of an operator's connection; of tenants' connections (`owner` tenant) it is the name of their source. */
const SOURCE_LABELS = ['service_name', 'connection', 'owner'] as const;

const MESSAGING_LABELS = ['service_name', 'messaging_consumer_group_name', 'messaging_destination_name'] as const;

/**
 * Every metric of the platform's own. Names and labels follow OpenTelemetry's semantic conventions for HTTP and messaging
 * where those have one; the rest begins with `parcelway_`. None has a label whose values a tenant chooses.
 */
export const metricCatalogue = [
  ...requestMetrics,
  {
    name: 'messaging_process_duration_seconds',
    type: 'histogram',
    help: 'Time to handle a message, once for each try, by outcome: done, retried or dead_lettered.',
    labels: [...MESSAGING_LABELS, 'outcome'],
    buckets: REQUEST_SECONDS,
  },
  {
    name: 'parcelway_consumer_lag_messages',
    type: 'gauge',
    help: 'Messages of a topic that a consumer group has not finished.',
    labels: MESSAGING_LABELS,
  },
  {
    name: 'parcelway_dead_letters_total',
    type: 'counter',
    help: 'Messages moved to the dead letters.',
    labels: MESSAGING_LABELS,
  },
  { name: 'parcelway_outbox_messages', type: 'gauge', help: 'Messages that wait to be published.', labels: ['service_name'] },
  {
    name: 'parcelway_outbox_oldest_age_seconds',
    type: 'gauge',
    help: 'Age of the oldest message that waits to be published; 0 when none does.',
    labels: ['service_name'],
  },
  { name: 'parcelway_outbox_published_total', type: 'counter', help: 'Messages published from the outbox.', labels: ['service_name'] },
  {
    name: 'parcelway_outbox_failures_total',
    type: 'counter',
    help: 'Batches of the outbox that could not be published.',
    labels: ['service_name'],
  },
  {
    name: 'parcelway_webhook_attempts_total',
    type: 'counter',
    help: 'Attempts to deliver a webhook: delivered, rejected by a response other than 2xx, timeout, unreachable, or refused by the address guard.',
    labels: ['service_name', 'outcome'],
  },
  {
    name: 'parcelway_webhook_attempt_duration_seconds',
    type: 'histogram',
    help: 'Duration of an attempt, by outcome.',
    labels: ['service_name', 'outcome'],
    buckets: LATENCY_SECONDS,
  },
  {
    name: 'parcelway_webhook_deliveries_total',
    type: 'counter',
    help: 'Deliveries that ended: delivered, exhausted after the last attempt, or held for a disabled endpoint.',
    labels: ['service_name', 'outcome'],
  },
  {
    name: 'parcelway_webhook_first_attempt_delay_seconds',
    type: 'histogram',
    help: 'Time from an event to the beginning of the first attempt to deliver it, whatever its outcome.',
    labels: ['service_name'],
    buckets: LATENCY_SECONDS,
  },
  {
    name: 'parcelway_webhook_event_latency_seconds',
    type: 'histogram',
    help: "Time from an event to the receiver's 2xx, of deliveries whose first attempt succeeded.",
    labels: ['service_name'],
    buckets: LATENCY_SECONDS,
  },
  {
    name: 'parcelway_webhook_circuits',
    type: 'gauge',
    help: 'Endpoints by the state of their circuit, as this process knows them: closed, open or half_open.',
    labels: ['service_name', 'state'],
  },
  {
    name: 'parcelway_webhook_full_payloads_total',
    type: 'counter',
    help: 'Full payloads: added, sent thin (too_large, not_found, unavailable), or postponed because the service with the data was unavailable.',
    labels: ['service_name', 'outcome'],
  },
  {
    name: 'parcelway_webhook_due_deliveries',
    type: 'gauge',
    help: 'Deliveries whose time has come and that are not sent yet.',
    labels: ['service_name'],
  },
  {
    name: 'parcelway_webhook_oldest_due_age_seconds',
    type: 'gauge',
    help: 'Age of the oldest due delivery; 0 when none is due.',
    labels: ['service_name'],
  },
  {
    name: 'parcelway_intake_unclaimed_events',
    type: 'gauge',
    help: 'Events of warehouses that wait, by reason: no_forecast, warehouse_mismatch, ambiguous or takes_no_dispatch. Counted to 10000 each.',
    labels: ['service_name', 'reason'],
  },
  {
    name: 'parcelway_intake_declared_numbers',
    type: 'gauge',
    help: 'Logistics numbers that a tenant declares and no warehouse has seen, of the tenants with the most.',
    labels: ['service_name', 'tenant_id'],
  },
  {
    name: 'parcelway_intake_resolutions_total',
    type: 'counter',
    help: 'Unclaimed parcels that were resolved by hand, by action: claim or dismiss.',
    labels: ['service_name', 'action'],
  },
  {
    name: 'parcelway_carrier_request_duration_seconds',
    type: 'histogram',
    help: 'Duration of a request to a carrier, by outcome: ok, failed, timeout, or rejected by the open circuit.',
    labels: ['service_name', 'carrier', 'outcome'],
    buckets: LATENCY_SECONDS,
  },
  {
    name: 'parcelway_carrier_circuit_open',
    type: 'gauge',
    help: '1 while the circuit of a carrier is open or half open.',
    labels: ['service_name', 'carrier'],
  },
  {
    name: 'parcelway_tracking_poll_delay_seconds',
    type: 'histogram',
    help: 'Time from the due time of a poll to the request to the carrier.',
    labels: ['service_name'],
    buckets: DELAY_SECONDS,
  },
  {
    name: 'parcelway_tracking_overdue_shipments',
    type: 'gauge',
    help: 'Tracked shipments that are due to be polled.',
    labels: ['service_name'],
  },
  {
    name: 'parcelway_tracking_oldest_overdue_seconds',
    type: 'gauge',
    help: 'Age of the oldest due poll of a shipment; 0 when none is due.',
    labels: ['service_name'],
  },
  {
    name: 'parcelway_tracking_unserved_polls_total',
    type: 'counter',
    help: 'Polls of parcels whose carrier no connection serves.',
    labels: ['service_name'],
  },
  {
    name: 'parcelway_source_calls_total',
    type: 'counter',
    help: 'Calls to a tracking source, by kind (register, query, other) and outcome: ok, throttled, quota_used_up, access_denied, unavailable or wrong_response. A query with several pages counts once.',
    labels: [...SOURCE_LABELS, 'kind', 'outcome'],
  },
  {
    name: 'parcelway_source_numbers_total',
    type: 'counter',
    help: 'Tracking numbers in calls to a source, by kind: register or query.',
    labels: [...SOURCE_LABELS, 'kind'],
  },
  {
    name: 'parcelway_source_waits_total',
    type: 'counter',
    help: 'Questions that have to wait, by reason: rate, daily_quota, blocked after a refusal of the source, or full when too many wait.',
    labels: [...SOURCE_LABELS, 'reason'],
  },
  {
    name: 'parcelway_source_pushes_total',
    type: 'counter',
    help: 'Pushes of a source, by outcome: accepted, unproved, refused for its signature, unreadable, or busy when the source has to send it again.',
    labels: [...SOURCE_LABELS, 'outcome'],
  },
  {
    name: 'parcelway_source_missed_pushes_total',
    type: 'counter',
    help: 'Polls that found news of a known parcel at a source that has pushed before: no push brought these news.',
    labels: SOURCE_LABELS,
  },
  {
    name: 'parcelway_source_unknown_codes_total',
    type: 'counter',
    help: 'Codes of a source that the platform does not know, once for each response or push with the code.',
    labels: SOURCE_LABELS,
  },
  {
    name: 'parcelway_source_left_out_rows_total',
    type: 'counter',
    help: 'Rows of a source that are not shown, once for each response or push with the row, by reason: too_old, ahead of its time, or unreadable.',
    labels: [...SOURCE_LABELS, 'reason'],
  },
  {
    name: 'parcelway_source_calls_used',
    type: 'gauge',
    help: "Calls of an operator's connection since 00:00 UTC, of all replicas together.",
    labels: ['service_name', 'connection'],
  },
  {
    name: 'parcelway_source_calls_limit',
    type: 'gauge',
    help: "Calls that an operator's connection may make in a day; only where the source has such a limit.",
    labels: ['service_name', 'connection'],
  },
  {
    name: 'parcelway_source_last_push_timestamp_seconds',
    type: 'gauge',
    help: "Time of the last proved push to an operator's connection, to the minute; only after the first one.",
    labels: ['service_name', 'connection'],
  },
  {
    name: 'parcelway_documents_total',
    type: 'counter',
    help: 'Product labels with their packing slips that were to be generated, by outcome: generated, failed, or refused because too many waited.',
    labels: ['service_name', 'outcome'],
  },
  {
    name: 'parcelway_document_generation_seconds',
    type: 'histogram',
    help: 'Time to generate and store a product label with its packing slip, without the wait in the queue.',
    labels: ['service_name'],
    buckets: LATENCY_SECONDS,
  },
  {
    name: 'parcelway_retention_expired_total',
    type: 'counter',
    help: 'Forecasts whose retention has ended, by kind: forecast when it was deleted, files when only its PDFs and photos were.',
    labels: ['service_name', 'kind'],
  },
  { name: 'parcelway_retention_skipped_total', type: 'counter', help: 'Failures that the retention skipped.', labels: ['service_name'] },
  {
    name: 'parcelway_retention_overdue_seconds',
    type: 'gauge',
    help: 'For how long the retention of the oldest forecast that the last turn found had ended; 0 when it found none, and in replicas that do not have the work.',
    labels: ['service_name'],
  },
  {
    name: 'parcelway_gauge_read_failures_total',
    type: 'counter',
    help: 'Readings of gauges that failed; the gauges kept their last values meanwhile.',
    labels: ['service_name'],
  },
  {
    name: 'parcelway_log_lines_lost_total',
    type: 'counter',
    help: 'Log lines that the process could not write: the disk is full, or nobody reads them. In embedded mode the gateway counts them.',
    labels: ['service_name'],
  },
  { name: 'parcelway_ready', type: 'gauge', help: '1 when the service can do its work, 0 when it cannot.', labels: ['service_name'] },
  { name: 'parcelway_build_info', type: 'gauge', help: 'Always 1; the version is in its label.', labels: ['service_name', 'version'] },
] as const satisfies readonly MetricDescription[];

type Described = (typeof metricCatalogue)[number];

/** Names of metrics of a type. */
export type MetricName<T extends MetricDescription['type']> = Extract<Described, { type: T }>['name'];

/** The labels that a metric takes besides `service_name`, which the service's own view of the metrics sets. */
export type MetricLabels<N extends Described['name']> = {
  readonly [L in Exclude<Extract<Described, { name: N }>['labels'][number], 'service_name'>]: string | number;
};
