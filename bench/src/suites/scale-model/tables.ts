import { PARTITIONS, TOPIC_RETENTION_DAYS } from '@parcelway/contracts/topics';
import { formatNumber, type Table } from '../../report/table.ts';
import { type Assumptions, statedAssumptions } from './assumptions.ts';
import { sizeTable } from './input-tables.ts';
import { processes, type ScaleInputs } from './inputs.ts';
import { type Break, breaksOf } from './limits.ts';
import { streamNames } from './load.ts';
import { type ScaleModel, scaleModel } from './model.ts';
import { expensesOf, totalOf } from './money.ts';
import { type Prices, priceList } from './prices.ts';
import { countFor, keptDaysOf, type Need } from './servers-needed.ts';
import type { StationSeen } from './station.ts';
import { DAYS_A_MONTH } from './traffic.ts';

type Cell = string | number | null;

/** Title of {@link simulationTable}. */
export const SIMULATION_TITLE = 'Simulation of the peak hour';
/** Times the planned load that the page asks about. */
const TENFOLD = 10;

const text = (name: string) => ({ name, numeric: false });
const number = (name: string) => ({ name, numeric: true });
const table = (title: string, columns: Table['columns'], lines: readonly (readonly Cell[])[]): Table => ({ title, columns, lines });
const percent = (share: number): string => `${Math.round(100 * share)} %`;
const whole = (value: number): string => Math.round(value).toLocaleString('en-US');
const seconds = (value: number): string => (Number.isFinite(value) ? formatNumber(value) : 'never');

function assumptionTable(plan: Assumptions): Table {
  return table(
    'Taken for granted',
    [number('Value'), text('What')],
    (Object.keys(statedAssumptions) as (keyof Assumptions)[]).map((name) => [
      plan[name].toLocaleString('en-US'),
      statedAssumptions[name][1],
    ]),
  );
}

function loadTable({ streams }: ScaleModel): Table {
  return table(
    'The load, and the cores of its peak hour',
    [text('What'), number('A second, peak hour'), number('A day'), ...processes.map((process) => number(process))],
    [
      ...streams.map(({ name, perSecond, perDay, cost }) => [
        streamNames[name],
        perSecond,
        whole(perDay),
        ...processes.map((process) => (cost[process] === 0 ? null : (perSecond * cost[process]) / 1e6)),
      ]),
      [
        'together',
        null,
        null,
        ...processes.map((process) => streams.reduce((sum, { perSecond, cost }) => sum + (perSecond * cost[process]) / 1e6, 0)),
      ],
    ],
  );
}

function serviceTable({ services }: ScaleModel): Table {
  return table(
    'Replicas of each service',
    [
      text('Service'),
      number('Cores, peak hour'),
      number('Consumed'),
      number('Replicas'),
      number('Busiest, peak hour'),
      number('Busiest, burst'),
      number('One fewer: peak hour'),
      number('Burst'),
      number('Waits at its end, s of arrivals'),
      number('Drains in, s'),
    ],
    services.map(({ service, cores, consumedShare, replicas, outcome, oneFewer }) => [
      service,
      cores,
      percent(consumedShare),
      String(replicas),
      percent(outcome.peak),
      percent(outcome.burst),
      percent(oneFewer.peak),
      percent(oneFewer.burst),
      seconds(oneFewer.backlogSeconds),
      seconds(oneFewer.drainSeconds),
    ]),
  );
}

function topicTable({ topics, partitions, services, plan }: ScaleModel): Table {
  // `migrate --partitions` leaves a topic that no service consumes as it is.
  const partitionsOf = (consumers: readonly string[]): number => (consumers.length === 0 ? PARTITIONS : partitions);
  const replicasOf = (service: string): number => services.find((need) => need.service === service)?.replicas ?? 0;
  return table(
    'Topics of Kafka',
    [
      text('Topic'),
      number('Messages a second, peak hour'),
      number('Burst'),
      number('A second and partition, burst'),
      text('Consumers'),
      number('Partitions'),
      number(`Kept ${TOPIC_RETENTION_DAYS} days, all copies, GiB`),
    ],
    topics.map(({ topic, perSecond, perDay, consumers }) => [
      topic,
      perSecond,
      perSecond * plan.burstFactor,
      (perSecond * plan.burstFactor) / partitionsOf(consumers),
      consumers.map((service) => `${service} ${replicasOf(service)}`).join(', '),
      String(partitionsOf(consumers)),
      (perDay * TOPIC_RETENTION_DAYS * plan.messageBytes * plan.replication) / 2 ** 30,
    ]),
  );
}

function serverTable({ shardNeeds, brokerNeeds, redisNeeds, shards, brokers, plan }: ScaleModel): Table {
  const lines = (what: string, needs: readonly Need[], taken: number): Cell[][] =>
    needs.map(({ resource, unit, demand, each, count }) => [what, resource, unit, demand, each, String(count), String(taken)]);
  return table(
    'Servers',
    [text('Server'), text('Resource'), text('Unit'), number('All need'), number('One has'), number('So many'), number('Taken')],
    [
      ...lines(`MongoDB shard of ${plan.membersAShard}`, shardNeeds, shards),
      ...lines('Kafka broker', brokerNeeds, brokers),
      ...lines('Redis primary', redisNeeds, countFor(redisNeeds)),
    ],
  );
}

function otherTable({ traffic, stored }: ScaleModel): Table {
  return table(
    'Object store and network',
    [text('What'), number('Value'), text('Unit')],
    [
      ['Data of MongoDB, one copy', stored.data, 'GiB'],
      ['Indexes of MongoDB, one copy', stored.indexes, 'GiB'],
      ['Objects kept', traffic.objects / 1000, 'TB'],
      ['Objects written, peak hour', traffic.puts, '/s'],
      ['Objects read, peak hour', traffic.gets, '/s'],
      ['From the internet, peak hour', traffic.publicIn / 1e9, 'Gbit/s'],
      ['To the internet, peak hour', traffic.publicOut / 1e9, 'Gbit/s'],
      ['To the internet, a month', traffic.outAMonth / 1000, 'TB'],
    ],
  );
}

function moneyTable(model: ScaleModel, prices: Prices): Table {
  const expenses = expensesOf(model, prices);
  const total = totalOf(expenses);
  const parcels = model.plan.parcelsADay * DAYS_A_MONTH;
  return table(
    `Money, at the list prices of ${priceList.date}`,
    [text('What'), number('Units a month'), text('Unit'), number('Price of one, $'), number('$ a month')],
    [
      ...expenses.map(({ what, units, price, dollars }) => [
        what,
        whole(units),
        prices[price].what,
        String(prices[price].each),
        whole(dollars),
      ]),
      ['all together', null, null, null, whole(total)],
      ['for 1,000 parcels', null, null, null, ((1000 * total) / parcels).toFixed(2)],
    ],
  );
}

function scaledText(value: number): string {
  return Number.isFinite(value) ? formatNumber(value) : 'more than can be had';
}

function breakTable(breaks: readonly Break[]): Table {
  return table(
    'What breaks first',
    [
      text('Limit'),
      text('Unit'),
      number('This load'),
      number(`${TENFOLD} times`),
      number('Holds'),
      number('Breaks at, times this load'),
      text('Change'),
    ],
    breaks.map(({ what, unit, demand, demandScaled, holds, breaksAt, change }) => [
      what,
      unit,
      demand,
      scaledText(demandScaled),
      holds,
      breaksAt,
      change,
    ]),
  );
}

/** The tables of a model, in the order of the page. What they say follows from the inputs and the assumptions alone. */
export function modelTables(inputs: ScaleInputs, plan: Assumptions, prices: Prices = priceList.prices): readonly Table[] {
  const model = scaleModel(inputs, plan);
  return [
    assumptionTable(plan),
    sizeTable(inputs, (service) => keptDaysOf(service, plan)),
    loadTable(model),
    serviceTable(model),
    topicTable(model),
    serverTable(model),
    otherTable(model),
    moneyTable(model, prices),
    breakTable(breaksOf(inputs, plan, TENFOLD, model.partitions)),
  ];
}

/** What a simulation saw at each stage, with all replicas and with one fewer of each. @param length seconds */
export function simulationTable(all: readonly StationSeen[], fewer: readonly StationSeen[], length: number): Table {
  return table(
    SIMULATION_TITLE,
    [
      text('Stage'),
      number('Visits a second'),
      number('Replicas'),
      number('Busy'),
      number('Longest queue'),
      number('p95 wait, ms'),
      number('p95 in bursts, ms'),
      number('One fewer: replicas'),
      number('Busy'),
      number('Longest queue'),
      number('p95 wait, ms'),
      number('p95 in bursts, ms'),
    ],
    all.map((seen, index) => {
      const other = fewer[index] as StationSeen;
      const cells = ({ groups, utilisation, longestQueue, p95, p95InBursts }: StationSeen): Cell[] => [
        String(groups),
        percent(utilisation),
        whole(longestQueue),
        p95,
        p95InBursts,
      ];
      return [seen.name, seen.visits / length, ...cells(seen), ...cells(other)];
    }),
  );
}
