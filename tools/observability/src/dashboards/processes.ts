import { curves, dashboard, figure, table } from '../panels.ts';

const NS = 'namespace=~"$namespace"';
/** Metrics of Node say not whose they are; this keeps to processes of the platform. */
const OURS = `and on (namespace, job, instance) parcelway_build_info{${NS}}`;
const legend = '{{namespace}} {{job}} {{instance}}';

const ours = (expression: string) => `${expression} ${OURS}`;

const now = [
  figure('Processes', [`count by (namespace) (group by (namespace, job, instance) (parcelway_build_info{${NS}}))`, '{{namespace}}'], {
    width: 4,
    thresholds: ['blue'],
  }),
  figure('Not ready', [`sum by (namespace) (parcelway_ready{${NS}} == bool 0)`, '{{namespace}}'], {
    width: 4,
    thresholds: ['green', [1, 'orange']],
  }),
  table('Versions', `count by (namespace, service_name, version) (parcelway_build_info{${NS}})`, {
    width: 8,
    columns: ['namespace', 'service_name', 'version'],
  }),
  table('Running for', ours('time() - process_start_time_seconds'), {
    width: 8,
    unit: 's',
    columns: ['namespace', 'job', 'instance', 'pod'],
  }),
];

const resources = [
  curves('Processor', [[ours('rate(process_cpu_seconds_total[$__rate_interval])'), legend]], {
    description: 'Cores in use. JavaScript runs on one; what is above it is the runtime and its threads.',
  }),
  curves('Memory', [[ours('process_resident_memory_bytes'), legend]], { unit: 'bytes' }),
  curves(
    'Memory, share of the limit',
    [
      [
        `(${ours('process_resident_memory_bytes')}) / on (namespace, pod, container) max by (namespace, pod, container) (kube_pod_container_resource_limits{resource="memory"})`,
        '{{namespace}} {{pod}}',
      ],
    ],
    { unit: 'percentunit', limit: 0.85, description: 'Needs kube-state-metrics' },
  ),
  curves('Heap in use', [[ours('nodejs_heap_size_used_bytes'), legend]], { unit: 'bytes' }),
  curves('Open files and connections', [[ours('process_open_fds'), legend]]),
  curves('Starts in 30 minutes', [[ours('changes(process_start_time_seconds[30m])'), legend]], { limit: 3 }),
];

const eventLoop = [
  curves('Event loop delay, p90', [[ours('nodejs_eventloop_lag_p90_seconds'), legend]], {
    width: 12,
    unit: 's',
    limit: 0.35,
    description: 'Everything in the process waits for that long. 0.25 means no delay: it is the time between two measurements.',
  }),
  curves(
    'Garbage collection, share of the time',
    [[ours('sum by (namespace, job, instance) (rate(nodejs_gc_duration_seconds_sum[$__rate_interval]))'), legend]],
    { width: 12, unit: 'percentunit' },
  ),
];

/** Are the processes well? */
export const processes = dashboard({
  uid: 'parcelway-processes',
  title: 'Parcelway / Processes',
  description: 'Processor, memory, event loop, restarts of every process.',
  rows: [
    ['Now', now],
    ['Resources', resources],
    ['Event loop', eventLoop],
  ],
});
