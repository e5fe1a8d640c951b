import { curves, dashboard, figure, type Query } from '../panels.ts';

const NS = 'namespace=~"$namespace"';

const quantiles = (metric: string): Query[] =>
  [0.5, 0.95, 0.99].map((quantile) => [
    `histogram_quantile(${quantile}, sum by (namespace, le) (rate(${metric}_bucket{${NS}}[$__rate_interval])))`,
    `{{namespace}} p${quantile * 100}`,
  ]);

const now = [
  figure('First attempts within 5 s, 30 days', [`1 - parcelway:webhook_late:ratio_rate30d{${NS}}`, '{{namespace}}'], {
    unit: 'percentunit',
    decimals: 2,
    width: 6,
    thresholds: ['red', [0.99, 'green']],
  }),
  figure('Due and not sent', [`parcelway:webhook_due_deliveries:max{${NS}}`, '{{namespace}}'], {
    width: 6,
    thresholds: ['green', [1000, 'orange']],
  }),
  figure('Longest due', [`max by (namespace) (parcelway_webhook_oldest_due_age_seconds{${NS}})`, '{{namespace}}'], {
    unit: 's',
    width: 6,
    description: 'Endpoints with an open circuit or a rate limit let theirs wait; that is not a fault of the platform.',
    thresholds: ['green', [300, 'orange']],
  }),
  figure('Circuits not closed', [`parcelway:webhook_circuits_not_closed:ratio{${NS}}`, '{{namespace}}'], {
    unit: 'percentunit',
    width: 6,
    thresholds: ['green', [0.2, 'orange'], [0.5, 'red']],
  }),
];

const speed = [
  curves('From the event to the first attempt', quantiles('parcelway_webhook_first_attempt_delay_seconds'), {
    unit: 's',
    limit: 5,
    description: 'What the platform can be blamed for: it counts whatever the endpoint responds.',
  }),
  curves("From the event to the receiver's 2xx", quantiles('parcelway_webhook_event_latency_seconds'), {
    unit: 's',
    description: 'Deliveries whose first attempt succeeded',
  }),
  curves(
    'Time of an attempt, p99 by outcome',
    [
      [
        `histogram_quantile(0.99, sum by (namespace, outcome, le) (rate(parcelway_webhook_attempt_duration_seconds_bucket{${NS}}[$__rate_interval])))`,
        '{{namespace}} {{outcome}}',
      ],
    ],
    { unit: 's' },
  ),
];

const outcomes = [
  curves('Attempts by outcome', [[`parcelway:webhook_attempts:rate5m{${NS}}`, '{{namespace}} {{outcome}}']], {
    unit: 'ops',
    stacked: true,
  }),
  curves(
    'Share of attempts that deliver',
    [
      [
        `sum by (namespace) (parcelway:webhook_attempts:rate5m{${NS},outcome="delivered"}) / sum by (namespace) (parcelway:webhook_attempts:rate5m{${NS}})`,
        '{{namespace}}',
      ],
    ],
    { unit: 'percentunit', max: 1 },
  ),
  curves(
    'Deliveries that came to an end',
    [[`sum by (namespace, outcome) (rate(parcelway_webhook_deliveries_total{${NS}}[$__rate_interval]))`, '{{namespace}} {{outcome}}']],
    { unit: 'ops', stacked: true, description: 'exhausted: the schedule is used up. held: the endpoint is disabled.' },
  ),
];

const backlog = [
  curves('Due and not sent', [[`parcelway:webhook_due_deliveries:max{${NS}}`, '{{namespace}}']], { limit: 1000 }),
  curves('Longest due', [[`max by (namespace) (parcelway_webhook_oldest_due_age_seconds{${NS}})`, '{{namespace}}']], { unit: 's' }),
  curves('Endpoints by circuit', [[`parcelway:webhook_circuits:max{${NS}}`, '{{namespace}} {{state}}']], { stacked: true }),
];

/** Do merchants receive webhooks? */
export const webhooks = dashboard({
  uid: 'parcelway-webhooks',
  title: 'Parcelway / Webhooks',
  description: 'Whether merchants receive webhooks, how soon, and what delays them.',
  rows: [
    ['Now', now],
    ['How soon', speed],
    ['What comes of it', outcomes],
    ['What waits', backlog],
  ],
});
