import type { FaultReport } from './fault.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

function row({ fault, ledger, observed, failedRequests, quietAfterS, violations }: FaultReport): string {
  const acknowledged = `${ledger.forecasts} / ${ledger.weighings}`;
  const webhooks = `${ledger.webhooks} (${ledger.repeatedWebhooks})`;
  const verdict =
    violations.length === 0
      ? 'nothing lost, nothing duplicated'
      : `**${violations.length} violations**: ${violations.slice(0, 3).join('; ')}`;
  const cells = [fault.name, fault.expected, observed, acknowledged, String(failedRequests), webhooks, quietAfterS.toFixed(0), verdict];
  return `| ${cells.map(cell).join(' | ')} |`;
}

/** The reports as tables of Markdown, one for each group. */
export function renderFaults(reports: readonly FaultReport[]): string {
  const groups = [...new Set(reports.map(({ fault }) => fault.group))];
  const head =
    '| Fault | Expected | Seen | Forecasts / weighings acknowledged | Requests sent again | Webhooks (repeats) | Quiet after, s | Ledger |\n|---|---|---|---|---|---|---|---|';
  const sections = groups.map(
    (group) =>
      `### ${group}\n\n${head}\n${reports
        .filter(({ fault }) => fault.group === group)
        .map(row)
        .join('\n')}\n`,
  );
  return sections.join('\n');
}

/** One line for all of them. */
export function summaryOf(reports: readonly FaultReport[]): string {
  const sum = (pick: (report: FaultReport) => number): number => reports.reduce((total, report) => total + pick(report), 0);
  const violations = sum((report) => report.violations.length);
  const acknowledged = (['forecasts', 'corrections', 'weighings', 'claims', 'dismissals'] as const)
    .map((what) => `${sum(({ ledger }) => ledger[what])} ${what}`)
    .join(', ');
  return (
    `${reports.length} faults; acknowledged: ${acknowledged}; ` +
    `${sum(({ ledger }) => ledger.webhooks)} webhooks received, ${sum(({ ledger }) => ledger.repeatedWebhooks)} of them repeats; ` +
    (violations === 0 ? 'nothing acknowledged was lost or duplicated.' : `${violations} violations.`)
  );
}
