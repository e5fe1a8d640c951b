import type { FaultReport } from './fault.ts';
import { renderFaults, summaryOf } from './report.ts';

/** The page that a run writes about itself. */
export function faultDocument(reports: readonly FaultReport[]): string {
  return `# What was broken, and what came of it

Written by \`npm run test:faults -- --write docs/faults.md\`; do not edit it. Each row is one run: clients upload labels,
submit and correct forecasts, report photos and weighings, and claim and dismiss parcels through the gateway of a distributed installation, on
real MongoDB, Kafka, Redis and S3 servers, while something is broken and healed again. Clients send again what was not acknowledged.
After the fault the **ledger** judges: every forecast that was acknowledged exists once under its number, every correction, weighing, claim and
dismissal that was acknowledged has had its effect once and is in the audit once, the documents are those of the latest version, the warehouse sees
what the merchant sees, every subscribed endpoint received each event under one \`webhook-id\`, the events of a parcel are numbered without a gap,
and nothing is in a dead-letter topic that was not put there on purpose.

${summaryOf(reports)} It was run on two cores that were not always its own, so read counts and verdicts, not speeds.

${renderFaults(reports)}`;
}
