import { budgetOf, objectives } from '../objectives.ts';
import { curves, dashboard, figure, table } from '../panels.ts';

const NS = 'namespace=~"$namespace"';
const HTTP = 'http_server_request_duration_seconds';

const promises = objectives.flatMap((objective) => {
  const budget = budgetOf(objective);
  const description = `Good: ${objective.good.replaceAll('`', '')}. Promised: ${Number((objective.target * 100).toFixed(2))} % in 30 days.`;
  return [
    figure(objective.title, [`1 - ${objective.record}:ratio_rate30d{${NS}}`, '{{namespace}}'], {
      unit: 'percentunit',
      width: 3,
      decimals: 2,
      description,
      thresholds: ['red', [objective.target, 'green']],
    }),
    figure('Budget left', [`${objective.record}:budget_left{${NS}}`, '{{namespace}}'], {
      unit: 'percentunit',
      width: 3,
      decimals: 0,
      description: `Of the ${Number((budget * 100).toFixed(2))} % that may be bad in 30 days. Below zero the promise is broken.`,
      thresholds: ['red', [0, 'orange'], [0.5, 'green']],
    }),
  ];
});

const burning = curves(
  'Burn rate, last hour',
  objectives.map((objective) => [`${objective.record}:ratio_rate1h{${NS}} / ${budgetOf(objective)}`, `${objective.title} {{namespace}}`]),
  { width: 12, limit: 14.4, description: '1 uses up exactly the budget of 30 days in 30 days; from 14.4 on somebody is woken.' },
);

const firing = table('Alerts', `ALERTS{alertname=~"Parcelway.+",alertstate="firing",${NS}}`, {
  description: 'What fires now. Each has a page in docs/runbooks.',
  columns: ['severity', 'alertname', 'namespace', 'service_name', 'carrier', 'messaging_destination_name', 'instance'],
});

const ready = figure('Ready replicas', [`sum by (namespace, service_name) (parcelway_ready{${NS}})`, '{{namespace}} {{service_name}}'], {
  width: 24,
  thresholds: ['red', [1, 'orange'], [2, 'green']],
});

const requests = [
  curves(
    'Requests',
    [[`sum by (namespace, service_name) (rate(${HTTP}_count{${NS}}[$__rate_interval]))`, '{{namespace}} {{service_name}}']],
    {
      unit: 'reqps',
    },
  ),
  curves('Share of 5xx, without tracking queries', [[`parcelway:http_errors:ratio_increase10m{${NS}}`, '{{namespace}} {{service_name}}']], {
    unit: 'percentunit',
    limit: 0.02,
    description: 'Over ten minutes. A tracking query gets 503 when its carrier is out.',
  }),
  curves(
    'Time of a response, p99',
    [
      [
        `histogram_quantile(0.99, sum by (namespace, service_name, le) (rate(${HTTP}_bucket{${NS}}[$__rate_interval])))`,
        '{{namespace}} {{service_name}}',
      ],
    ],
    { unit: 's' },
  ),
  curves('Requests under way', [
    [`sum by (namespace, service_name) (http_server_active_requests{${NS}})`, '{{namespace}} {{service_name}}'],
  ]),
  table(
    'Routes of the gateway, slowest first',
    `sort_desc(histogram_quantile(0.99, sum by (namespace, http_request_method, http_route, le) (rate(${HTTP}_bucket{${NS},service_name="gateway"}[$__range]))))`,
    { unit: 's', width: 8, description: 'p99 over the time shown', columns: ['namespace', 'http_request_method', 'http_route'] },
  ),
  table(
    'Responses of the gateway by status',
    `sort_desc(sum by (namespace, http_route, http_response_status_code) (increase(${HTTP}_count{${NS},service_name="gateway",http_response_status_code!~"2.."}[$__range])))`,
    { width: 8, description: 'All but 2xx, over the time shown', columns: ['namespace', 'http_route', 'http_response_status_code'] },
  ),
];

const turns = [
  curves('Requests at a service', [[`sum by (namespace, upstream) (parcelway_upstream_requests{${NS}})`, '{{namespace}} {{upstream}}']], {
    description: 'Given by the gateways and not responded yet.',
  }),
  curves('At most at once', [[`sum by (namespace, upstream) (parcelway_upstream_requests_limit{${NS}})`, '{{namespace}} {{upstream}}']], {
    description: 'Of all gateways, while several clients share the service. It follows the time that requests take.',
  }),
  curves(
    'Wait for a turn, p95 of those that wait',
    [
      [
        `histogram_quantile(0.95, sum by (namespace, upstream, le) (rate(parcelway_upstream_wait_seconds_bucket{${NS}}[$__rate_interval])))`,
        '{{namespace}} {{upstream}}',
      ],
    ],
    { unit: 's', description: 'Clients with many requests wait for themselves.' },
  ),
];

const backlog = [
  curves(
    'Events that wait for a consumer',
    [[`max by (namespace, service_name) (parcelway:consumer_lag_messages:max{${NS}})`, '{{namespace}} {{service_name}}']],
    {
      width: 6,
      limit: 1000,
    },
  ),
  curves('Oldest event in an outbox', [[`parcelway:outbox_oldest_age_seconds:max{${NS}}`, '{{namespace}} {{service_name}}']], {
    width: 6,
    unit: 's',
    limit: 60,
  }),
  curves('Webhooks due', [[`parcelway:webhook_due_deliveries:max{${NS}}`, '{{namespace}}']], { width: 6, limit: 1000 }),
  curves('Longest overdue shipment', [[`parcelway:tracking_oldest_overdue_seconds:max{${NS}}`, '{{namespace}}']], {
    width: 6,
    unit: 's',
    limit: 900,
  }),
];

/** Is it well? */
export const overview = dashboard({
  uid: 'parcelway-overview',
  title: 'Parcelway / Overview',
  description: 'Is it well: promises, alerts, requests, what waits. What the promises mean: docs/slo.md.',
  rows: [
    ['Promises', promises],
    ['Now', [ready, burning, firing]],
    ['Requests', requests],
    ['Turns at services', turns],
    ['What waits', backlog],
  ],
});
