import type { RolloutReport } from './rollout-report.ts';

/** One line for the whole run. */
export function summaryOfRun({ steps, requests, failures, ledger, violations }: RolloutReport): string {
  const retries = steps.reduce((sum, step) => sum + step.retries, 0);
  return (
    `${steps.length} processes replaced; ${requests} requests, ${failures.length} failed; ${retries} retries inside of the platform; ` +
    `${ledger.forecasts} forecasts and ${ledger.weighings} weighings acknowledged, ${ledger.webhooks} webhooks received, ${ledger.repeatedWebhooks} of them repeats; ` +
    (violations.length === 0 ? 'nothing lost, nothing doubled.' : `${violations.length} violations.`)
  );
}
