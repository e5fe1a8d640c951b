import { curves, dashboard, figure, type Query } from '../panels.ts';

const NS = 'namespace=~"$namespace"';
const CARRIER = 'parcelway_carrier_request_duration_seconds';
const TRACKING_QUERY = 'service_name="gateway",http_route="/open/v1/forecasts/tracking"';

const freshness = [
  figure('Polls within 5 min, 30 days', [`1 - parcelway:tracking_late:ratio_rate30d{${NS}}`, '{{namespace}}'], {
    unit: 'percentunit',
    decimals: 2,
    width: 6,
    thresholds: ['red', [0.99, 'green']],
  }),
  figure('Overdue shipments', [`max by (namespace) (parcelway_tracking_overdue_shipments{${NS}})`, '{{namespace}}'], {
    width: 6,
    thresholds: ['green', [1000, 'orange']],
  }),
  figure('Longest overdue', [`parcelway:tracking_oldest_overdue_seconds:max{${NS}}`, '{{namespace}}'], {
    unit: 's',
    width: 6,
    thresholds: ['green', [300, 'orange'], [900, 'red']],
  }),
  figure('Open circuits', [`sum by (namespace) (parcelway:carrier_circuit_open:avg{${NS}} >= bool 0.5)`, '{{namespace}}'], {
    width: 6,
    description: 'Carriers that most replicas have left alone',
    thresholds: ['green', [1, 'orange']],
  }),
  curves(
    'How late polls begin',
    [0.5, 0.95, 0.99].map((quantile) => [
      `histogram_quantile(${quantile}, sum by (namespace, le) (rate(parcelway_tracking_poll_delay_seconds_bucket{${NS}}[$__rate_interval])))`,
      `{{namespace}} p${quantile * 100}`,
    ]),
    { unit: 's', limit: 300 },
  ),
  curves('Polls', [[`sum by (namespace) (rate(parcelway_tracking_poll_delay_seconds_count{${NS}}[$__rate_interval]))`, '{{namespace}}']], {
    unit: 'ops',
  }),
  curves('Overdue shipments', [[`max by (namespace) (parcelway_tracking_overdue_shipments{${NS}})`, '{{namespace}}']]),
];

const carriers = [
  curves(
    'Questions to carriers',
    [[`sum by (namespace, carrier, outcome) (rate(${CARRIER}_count{${NS}}[$__rate_interval]))`, '{{namespace}} {{carrier}} {{outcome}}']],
    { unit: 'ops', stacked: true, description: 'rejected: not asked, as the circuit is open.' },
  ),
  curves(
    'Share that fails',
    [
      [
        `1 - sum by (namespace, carrier) (rate(${CARRIER}_count{${NS},outcome="ok"}[$__rate_interval])) / sum by (namespace, carrier) (rate(${CARRIER}_count{${NS}}[$__rate_interval]))`,
        '{{namespace}} {{carrier}}',
      ],
    ],
    { unit: 'percentunit', max: 1 },
  ),
  curves(
    'Time of a response, p99',
    [
      [
        `histogram_quantile(0.99, sum by (namespace, carrier, le) (rate(${CARRIER}_bucket{${NS},outcome!="rejected"}[$__rate_interval])))`,
        '{{namespace}} {{carrier}}',
      ],
    ],
    { unit: 's' },
  ),
  curves('Open circuits, share of the replicas', [[`parcelway:carrier_circuit_open:avg{${NS}}`, '{{namespace}} {{carrier}}']], {
    unit: 'percentunit',
    max: 1,
  }),
  curves(
    'Tracking queries of merchants by status',
    [
      [
        `sum by (namespace, http_response_status_code) (rate(http_server_request_duration_seconds_count{${NS},${TRACKING_QUERY}}[$__rate_interval]))`,
        '{{namespace}} {{http_response_status_code}}',
      ],
    ],
    { unit: 'reqps', stacked: true },
  ),
  curves(
    'Time of a tracking query, p99',
    [
      [
        `histogram_quantile(0.99, sum by (namespace, le) (rate(http_server_request_duration_seconds_bucket{${NS},${TRACKING_QUERY}}[$__rate_interval])))`,
        '{{namespace}}',
      ],
    ],
    { unit: 's' },
  ),
];

/** Calls a second of what a metric counts, by connection and a label. */
const ofConnections = (name: string, label: string): Query[] => [
  [
    `sum by (namespace, connection, owner, ${label}) (rate(${name}{${NS}}[$__rate_interval]))`,
    `{{namespace}} {{connection}} {{owner}} {{${label}}}`,
  ],
];

const connections = [
  figure('Calls of the day, share', [`parcelway:source_calls_used:share{${NS}}`, '{{namespace}} {{connection}}'], {
    unit: 'percentunit',
    width: 8,
    description: 'Only connections whose source limits the calls of a day',
    thresholds: ['green', [0.8, 'orange'], [0.9, 'red']],
  }),
  figure('Last push, ago', [`parcelway:source_last_push_age_seconds:min{${NS}}`, '{{namespace}} {{connection}}'], {
    unit: 's',
    width: 8,
    thresholds: ['green', [21_600, 'orange']],
  }),
  figure(
    'Polls that nothing serves, 6 h',
    [`sum by (namespace) (increase(parcelway_tracking_unserved_polls_total{${NS}}[6h]))`, '{{namespace}}'],
    {
      width: 8,
      decimals: 0,
      thresholds: ['green', [1, 'orange']],
    },
  ),
  curves('Calls by outcome', ofConnections('parcelway_source_calls_total', 'outcome'), { unit: 'ops', stacked: true }),
  curves('Share of calls that fail, 15 min', [[`parcelway:source_failed_calls:ratio_rate15m{${NS}}`, '{{namespace}} {{connection}}']], {
    unit: 'percentunit',
    max: 1,
    limit: 0.2,
  }),
  curves(
    'Numbers of a query call',
    [
      [
        `sum by (namespace, connection) (rate(parcelway_source_numbers_total{${NS},kind="query"}[$__rate_interval])) / sum by (namespace, connection) (rate(parcelway_source_calls_total{${NS},kind="query"}[$__rate_interval]))`,
        '{{namespace}} {{connection}}',
      ],
    ],
    { description: 'The fuller the calls, the fewer of them.' },
  ),
  curves('Questions that have to wait', ofConnections('parcelway_source_waits_total', 'reason'), { unit: 'ops', stacked: true }),
  curves('Pushes by outcome', ofConnections('parcelway_source_pushes_total', 'outcome'), { unit: 'ops', stacked: true }),
  curves(
    'News that no push brought',
    [
      [
        `sum by (namespace, connection) (rate(parcelway_source_missed_pushes_total{${NS}}[$__rate_interval]))`,
        '{{namespace}} {{connection}}',
      ],
    ],
    { unit: 'ops' },
  ),
  curves('Rows that are not shown', ofConnections('parcelway_source_left_out_rows_total', 'reason'), { unit: 'ops', stacked: true }),
  curves(
    'Unknown codes',
    [
      [
        `sum by (namespace, connection) (rate(parcelway_source_unknown_codes_total{${NS}}[$__rate_interval]))`,
        '{{namespace}} {{connection}}',
      ],
    ],
    { unit: 'ops', description: 'The log names each code once.' },
  ),
];

/** Is what merchants are shown of their parcels up to date? */
export const tracking = dashboard({
  uid: 'parcelway-tracking',
  title: 'Parcelway / Tracking and carriers',
  description: 'Are parcels looked at in time, and do carriers respond.',
  rows: [
    ['Freshness', freshness],
    ['Carriers', carriers],
    ['Connections to sources', connections],
  ],
});
