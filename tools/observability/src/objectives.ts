// The service-level objectives: the one place from which rules/slo.yaml, docs/slo.md and the overview dashboard are made.

const HTTP = 'http_server_request_duration_seconds';
const SUBMISSION = 'service_name="gateway",http_request_method="POST",http_route="/open/v1/forecasts"';

const RESPONDED_SUBMISSIONS = `${HTTP}_count{${SUBMISSION},http_response_status_code!="499"}`;

/** Since version 3 Prometheus writes the bound of a whole number with a fraction: `5.0`. */
const bound = (seconds: number) => (Number.isInteger(seconds) ? `le=~"${seconds}([.]0)?"` : `le="${seconds}"`);

const perSecond = (series: string, window: string) => `sum by (namespace) (rate(${series}[${window}]))`;

/** Share of the observations of a histogram that took longer than a bound, which has to be one of its buckets. */
const slowerThan = (name: string, seconds: number, labels = '') => {
  const matching = (more: string) => [labels, more].filter(Boolean).join(',');
  const count = labels === '' ? `${name}_count` : `${name}_count{${labels}}`;
  return {
    bad: (window: string) => `${perSecond(count, window)} - ${perSecond(`${name}_bucket{${matching(bound(seconds))}}`, window)}`,
    total: (window: string) => perSecond(count, window),
  };
};

/** A service-level objective. */
export interface Objective {
  /** Name of its alert. */
  readonly alert: string;
  /** Prefix of its recorded series. */
  readonly record: string;
  /** Share of events that must be good. */
  readonly target: number;
  readonly title: string;
  /** When an event is good, in words. */
  readonly good: string;
  /** What the alert says. */
  readonly summary: string;
  /** PromQL for bad events per second in a window, by namespace. */
  readonly bad: (window: string) => string;
  /** PromQL for all events per second in a window, by namespace. */
  readonly total: (window: string) => string;
}

/** All objectives, in the order of their documentation. */
export const objectives: readonly Objective[] = [
  {
    alert: 'ParcelwaySubmissionErrorBudgetBurn',
    record: 'parcelway:submission_errors',
    target: 0.999,
    title: 'Submission: availability',
    good: 'a `POST` of a forecast at the gateway gets a response without a 5xx',
    summary: 'Merchants get 5xx for forecasts that they submit',
    // A request that its client broke off (499) was not responded: it is neither good nor bad. Nor may many of them hide that nothing is.
    // Without a failure there is no series of 5xx at all: that is a share of 0, not an unknown one.
    bad: (window) =>
      `${perSecond(`${HTTP}_count{${SUBMISSION},http_response_status_code=~"5.."}`, window)}\n  or 0 * ${perSecond(RESPONDED_SUBMISSIONS, window)}`,
    total: (window) => perSecond(RESPONDED_SUBMISSIONS, window),
  },
  {
    alert: 'ParcelwaySubmissionLatencyBudgetBurn',
    record: 'parcelway:submission_slow',
    target: 0.99,
    title: 'Submission: latency',
    good: 'a submission that is accepted gets a response within 500 ms',
    summary: 'Accepted submissions of merchants take longer than 500 ms',
    ...slowerThan(HTTP, 0.5, `${SUBMISSION},http_response_status_code=~"2.."`),
  },
  {
    alert: 'ParcelwayWebhookDelayBudgetBurn',
    record: 'parcelway:webhook_late',
    target: 0.99,
    title: 'Webhooks: delay',
    good: 'the first attempt to deliver an event begins within 5 s of it',
    summary: 'First attempts of webhooks begin later than 5 s after their event',
    ...slowerThan('parcelway_webhook_first_attempt_delay_seconds', 5),
  },
  {
    alert: 'ParcelwayTrackingFreshnessBudgetBurn',
    record: 'parcelway:tracking_late',
    target: 0.99,
    title: 'Tracking: freshness',
    good: 'the carrier is asked about a shipment within 5 min of its due time',
    summary: 'Carriers are asked about shipments later than 5 min after their due time',
    ...slowerThan('parcelway_tracking_poll_delay_seconds', 300),
  },
];

/** The windows of the shares that are recorded. */
export const WINDOWS = ['5m', '30m', '1h', '2h', '6h', '1d', '3d', '30d'];

/** When an alert on the burning of a budget fires. */
export interface Burn {
  /** How many times faster than the budget allows. */
  readonly factor: number;
  readonly long: string;
  readonly short: string;
  readonly severity: 'critical' | 'warning';
  /** How long before it fires. */
  readonly hold: string;
  /** When the budget is gone, in words. */
  readonly gone: string;
}

/**
 * How fast the budget of 30 days may burn, as Google's SRE workbook has it: a factor of 14.4 uses up 2 % of it in an hour,
 * 6 uses up 5 % in six hours, 3 uses up 10 % in a day, 1 uses up 10 % in three days. The short window ends the alert soon
 * after the cause has ended.
 */
export const BURNS: readonly Burn[] = [
  { factor: 14.4, long: '1h', short: '5m', severity: 'critical', hold: '2m', gone: 'two days' },
  { factor: 6, long: '6h', short: '30m', severity: 'critical', hold: '15m', gone: 'five days' },
  { factor: 3, long: '1d', short: '2h', severity: 'warning', hold: '1h', gone: 'ten days' },
  { factor: 1, long: '3d', short: '6h', severity: 'warning', hold: '3h', gone: 'thirty days' },
];

/** Fewer bad events than this in the long window wake nobody: where there is little traffic, one would be a large share. */
export const LEAST_BAD = 5;

/** The share that may be bad. */
export const budgetOf = ({ target }: Pick<Objective, 'target'>) => Number((1 - target).toFixed(6));

/** The share of bad events in a window, as it is recorded. */
export const ratioOf = ({ bad, total }: Pick<Objective, 'bad' | 'total'>, window: string) => `(${bad(window)})\n/\n${total(window)}`;
