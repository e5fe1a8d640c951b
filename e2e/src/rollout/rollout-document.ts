import type { RolloutReport, RolloutStep } from './rollout-report.ts';

const seconds = (ms: number): string => (ms / 1000).toFixed(1);

function row({ round, from, to, readyMs, end, requests, failures, retries }: RolloutStep): string {
  const cells = [round, `${from} → ${to}`, seconds(readyMs), seconds(end.ms), end.code, requests, failures.length, retries];
  return `| ${cells.join(' | ')} |`;
}

function tableOf(steps: readonly RolloutStep[]): string {
  const head = '| Round | Replica | Ready, s | Drained, s | Exit | Requests | Failed | Retried |\n|---|---|---|---|---|---|---|---|';
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
    ' The first processes are of another version. This version migrates the data under load, and replaces them in the first round.';
  return back ? `${first} The last round returns to the other version, in reverse order.` : first;
}

/** The page that a run writes about itself. */
export function rolloutDocument(report: RolloutReport): string {
  const { options, steps, requestsByKind, refusedConnections, logged, violations } = report;
  const { parcelsPerSecond, timing, rounds, from, back = false } = options;
  const kinds = Object.entries(requestsByKind).map(([kind, count]) => `${kind} ${count}`);
  return `# A rolling restart under load

\`npm run test:rollout -- --write docs/rollout.md\` writes this page; do not edit it.

On real MongoDB, Kafka, Redis and S3 servers, two processes of every service run, each service behind a balancer of TCP connections. Under load, every process is replaced
${rounds === 1 && !back ? 'once' : `in ${rounds + (back ? 1 : 0)} rounds`}, as by a Deployment with \`maxSurge: 1\` and \`maxUnavailable: 0\`. A new process starts, and joins the balancer when its readiness probe passes. The old one leaves the
balancer within ${seconds(timing.endpointsWithinMs)} s, and gets SIGTERM after a preStop pause of ${seconds(timing.preStopMs)} s.${versionsOf(from, back)}

The load is ${parcelsPerSecond} parcels a second: submissions with labels, photos and corrections, weighings over HTTP and Kafka, claims, dismissals, reads of every service, and two webhook receivers. Clients keep
connections alive. **No client repeats a request**: a broken connection, no response within 20 s, and any error response count as failed. In the end, each acknowledged forecast and weighing must have had its
effect once. Both receivers must have it under one \`webhook-id\`, events must be numbered without a gap, and no topic may have a dead letter.

**Result**: ${summaryOfRun(report)} ${refusedConnections} connections found no process.

Requests: ${kinds.join(', ')}.

${tableOf(steps)}

*Ready* is the time from the start until the readiness probe passes, *Drained* the time from SIGTERM to the end of the process. *Requests* began during the replacement. *Retried* counts what
processes repeated by themselves. Two shared cores ran everything: read counts and verdicts, not speeds.

## Violations

${listOf(violations)}
## Warnings and errors in logs

${listOf(logged)}`;
}
