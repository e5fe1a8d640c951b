import type { RolloutReport, RolloutStep } from './rollout-report.ts';

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

function row({ round, service, from, to, readyMs, end, requests, failures, retries, p99Ms, slowestMs }: RolloutStep): string {
  const cells = [
    round,
    service,
    `${from} → ${to}`,
    seconds(readyMs),
    seconds(end.ms),
    end.code,
    requests,
    failures.length,
    retries,
    p99Ms.toFixed(0),
    slowestMs.toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}

function tableOf(steps: readonly RolloutStep[]): string {
  const head =
    '| Round | Service | Replica | Ready after, s | Drained in, s | Exit | Requests during | Failed | Retried by the platform | p99, ms | Slowest, ms |\n' +
    '|---|---|---|---|---|---|---|---|---|---|---|';
  return `${head}\n${steps.map(row).join('\n')}`;
}

/** One line for the whole run. */
export function summaryOfRun({ steps, requests, failures, ledger, violations }: RolloutReport): string {
  const retries = steps.reduce((sum, step) => sum + step.retries, 0);
  return (
    `${steps.length} processes replaced; ${requests} requests, ${failures.length} failed; ${retries} retries inside of the platform; ` +
    `${ledger.forecasts} forecasts and ${ledger.weighings} weighings acknowledged, ${ledger.webhooks} webhooks received, ${ledger.repeatedWebhooks} of them repeats; ` +
    (violations.length === 0 ? 'nothing lost, nothing doubled.' : `${violations.length} violations.`)
  );
}

const listOf = (lines: readonly string[]): string =>
  lines.length === 0 ? 'Nothing.\n' : `${lines.map((line) => `- ${line}`).join('\n')}\n`;

/** Which versions ran, when it was not this one alone. */
function versionsOf(from: string | undefined, back: boolean): string {
  if (from === undefined) return '';
  const first =
    ' The first processes are of another version. Under the load, the migrate step of this one is run, and the first round replaces them by this version.';
  return back ? `${first} The last round goes back to the other one, in the reverse order.` : first;
}

/** The page that a run writes about itself. */
export function rolloutDocument(report: RolloutReport): string {
  const { options, steps, requestsByKind, refusedConnections, logged, ledger, violations } = report;
  const { parcelsPerSecond, timing, rounds, from, back = false } = options;
  const kinds = Object.entries(requestsByKind).map(([kind, count]) => `| ${kind} | ${count} |`);
  return `# A rolling restart under load

Written by \`npm run test:rollout -- --write docs/rollout.md\`; do not edit it. On real MongoDB, Kafka, Redis and S3 servers, two processes of every
service run as Kubernetes would run them, each service behind a balancer of TCP connections, as a Service is: the services, merchants and warehouses
connect to balancers alone, and a connection stays with its process for as long as it lives. Under a steady load every process is replaced, one
after the other, ${rounds === 1 && !back ? 'once' : `in ${rounds + (back ? 1 : 0)} rounds`}, as by a Deployment with \`maxSurge: 1\` and \`maxUnavailable: 0\`: a new one is started; when its readiness probe passes, the balancer gets
it; then the old one is taken out of the balancer, at some moment within ${seconds(timing.endpointsWithinMs)} s, and gets SIGTERM after a preStop pause of ${seconds(timing.preStopMs)} s, whatever connections it still has.${versionsOf(from, back)}

The load, ${parcelsPerSecond} parcels a second: submissions, every fifth with a label and a photo of its own, every third corrected twice; weighings, half of them
straight to the Kafka topic and half by HTTP, under a number that nobody declares and with a claim; every fourth time another parcel that is dismissed;
as many reads, of every service; two receivers of webhooks; besides, clients that keep one connection and use it every
few seconds. All clients keep connections alive. **No client repeats a request**: a connection that breaks, no response within 20 s, and any response but success
count as failed. In the end the ledger judges: every forecast that was acknowledged exists once under its number, with its corrections and
with documents of its version that open, every weighing that was acknowledged has had its effect once, every claim and dismissal holds, both receivers got it under one \`webhook-id\`, events are numbered without a gap, and no topic has a dead letter.

${summaryOfRun(report)} It was run on two cores that were not always its own, so read counts and verdicts, not speeds.

${tableOf(steps)}

"Drained in" is the time from SIGTERM to the end of the process. "Retried by the platform" counts what processes did again by themselves, such as
handling a message or committing a position, as their logs show.

## Totals

| Requests | Number |
|---|---|
${kinds.join('\n')}
| **all** | **${report.requests}** |
| **failed** | **${report.failures.length}** |
| connections that no process took | ${refusedConnections} |

| Ledger | Number |
|---|---|
| forecasts acknowledged | ${ledger.forecasts} |
| weighings acknowledged | ${ledger.weighings} |
| webhooks received | ${ledger.webhooks} |
| of them repeats, under the same id | ${ledger.repeatedWebhooks} |
| violations | ${violations.length} |

## What must not be

${listOf(violations)}
## What the processes said

Everything that they logged above information.

${listOf(logged)}`;
}
