import { curves, dashboard, table } from '../panels.ts';

const NS = 'namespace=~"$namespace"';
const GROUP = 'namespace, messaging_consumer_group_name, messaging_destination_name';
const groupLegend = '{{namespace}} {{messaging_consumer_group_name}} ← {{messaging_destination_name}}';
const serviceLegend = '{{namespace}} {{service_name}}';

const outboxes = [
  curves('Messages in the outbox', [[`parcelway:outbox_messages:max{${NS}}`, serviceLegend]], { width: 6 }),
  curves('Oldest message in the outbox', [[`parcelway:outbox_oldest_age_seconds:max{${NS}}`, serviceLegend]], {
    width: 6,
    unit: 's',
    limit: 60,
  }),
  curves(
    'Published',
    [[`sum by (namespace, service_name) (rate(parcelway_outbox_published_total{${NS}}[$__rate_interval]))`, serviceLegend]],
    { width: 6, unit: 'ops' },
  ),
  curves(
    'Batches that could not be published',
    [[`sum by (namespace, service_name) (rate(parcelway_outbox_failures_total{${NS}}[$__rate_interval]))`, serviceLegend]],
    { width: 6, unit: 'ops', description: 'Kafka does not take them. They are tried again for as long as it lasts.' },
  ),
];

const consumers = [
  curves('Lag', [[`parcelway:consumer_lag_messages:max{${NS}}`, groupLegend]], { width: 12, limit: 1000 }),
  curves(
    'Handled',
    [[`sum by (${GROUP}) (rate(messaging_process_duration_seconds_count{${NS},outcome="done"}[$__rate_interval]))`, groupLegend]],
    { width: 12, unit: 'ops' },
  ),
  curves(
    'Time to handle a message, p99',
    [
      [
        `histogram_quantile(0.99, sum by (${GROUP}, le) (rate(messaging_process_duration_seconds_bucket{${NS}}[$__rate_interval])))`,
        groupLegend,
      ],
    ],
    { width: 12, unit: 's' },
  ),
  curves(
    'Tries that failed and come again',
    [[`sum by (${GROUP}) (rate(messaging_process_duration_seconds_count{${NS},outcome="retried"}[$__rate_interval]))`, groupLegend]],
    { width: 12, unit: 'ops', description: 'A dependency is out, or a defect has not used up its tries yet.' },
  ),
];

const deadLetters = [
  curves('Dead letters in 15 minutes', [[`parcelway:dead_letters:increase15m{${NS}}`, groupLegend]], { width: 12, limit: 1 }),
  table('Dead letters over the time shown', `sort_desc(sum by (${GROUP}) (increase(parcelway_dead_letters_total{${NS}}[$__range]))) > 0`, {
    description: 'parcelctl dlq list says what they are and why.',
    columns: ['namespace', 'messaging_consumer_group_name', 'messaging_destination_name'],
  }),
];

/** Do events get through? */
export const messaging = dashboard({
  uid: 'parcelway-messaging',
  title: 'Parcelway / Messaging',
  description: 'Do events get from one service to the other: outboxes, consumers, dead letters.',
  rows: [
    ['Outboxes', outboxes],
    ['Consumers', consumers],
    ['Dead letters', deadLetters],
  ],
});
