import { curves, dashboard, figure } from '../panels.ts';

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

/** Is what merchants are shown of their parcels up to date? */
export const tracking = dashboard({
  uid: 'parcelway-tracking',
  title: 'Parcelway / Tracking and carriers',
  description: 'Are parcels looked at in time, and do carriers respond.',
  rows: [
    ['Freshness', freshness],
    ['Carriers', carriers],
  ],
});
