import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from '@parcelway/contracts/service-name';
import { builtVersion, thisVersion } from './cluster.ts';
import { rollOut } from './rollout.ts';

/*
 * npm run test:rollout -- [--only SERVICE,…] [--from DIRECTORY [--back]]: restarts two processes of every service twice under load, one after the other, as
 * Kubernetes does, and fails when anybody notices. With --from, a checkout of another version runs first, built with `npm ci && npm run build`, and is
 * replaced by this one; with --back it comes back in a last round. Takes the servers that the environment names; else containers; else those of
 * `npm run servers`.
 */

const { values } = parseArgs({
  options: { only: { type: 'string' }, from: { type: 'string' }, back: { type: 'boolean', default: false } },
});

/** @throws Error that says which there are */
function chosenServices(only: string | undefined): readonly ServiceName[] {
  if (only === undefined) return serviceNames;
  const chosen = only.split(',');
  const unknown = chosen.filter((name) => !(serviceNames as readonly string[]).includes(name));
  if (unknown.length > 0) throw new Error(`--only names no service: ${unknown.join(', ')}. There are ${serviceNames.join(', ')}`);
  return serviceNames.filter((name) => chosen.includes(name));
}

if (values.back && values.from === undefined) throw new Error('--back goes with --from, the version that comes back');

/** The pause outlasts the news of the end; the manifests make twice as long a one. From SIGTERM on a stop may take 25 s. */
const timing = { preStopMs: 5000, endpointsWithinMs: 3000, graceMs: 30_000, readyWithinMs: 60_000 };

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const startedAt = performance.now();
const report = await rollOut({
  services: chosenServices(values.only),
  rounds: 2,
  ...(values.from !== undefined && { from: builtVersion(values.from, thisVersion), back: values.back }),
  parcelsPerSecond: 20,
  timing,
  say,
}).catch((error: Error) => {
  process.stderr.write(`The run was not finished: ${error.message}\n`);
  process.exit(1);
});
const minutes = (performance.now() - startedAt) / 60_000;
const { steps, requests, failures, ledger, violations, logFile } = report;
for (const violation of violations.slice(0, 20)) say(`FAIL  ${violation}`);
if (violations.length > 20) say(`      and ${violations.length - 20} more`);
if (logFile !== null) say(`      what the processes logged: ${logFile}`);
say(
  `\n${steps.length} processes replaced; ${requests} requests, ${failures.length} failed; ` +
    `${ledger.forecasts} forecasts and ${ledger.weighings} weighings acknowledged, ${ledger.webhooks} webhooks received, ${ledger.repeatedWebhooks} of them repeats; ` +
    `${violations.length === 0 ? 'nothing lost, nothing doubled' : `${violations.length} violations`}. ${minutes.toFixed(1)} min.`,
);
// Node has been seen to spin at its own end, over the pipes of so many children. What was written is out by then.
process.stdout.write('', () => process.exit(violations.length === 0 ? 0 : 1));
