import type { Finding, Status } from '@parcelway/platform/doctor/check';
import { cellText } from '../table.ts';

const WIDTH = 7;

/** Findings as lines: status, check, message, and what to do next. */
export function renderFindings(findings: readonly Finding[]): string {
  return findings
    .map(
      ({ check, status, message, next }) =>
        `${status.padEnd(WIDTH)}  ${cellText(check)}: ${cellText(message)}.${next === undefined ? '' : ` → ${cellText(next)}`}\n`,
    )
    .join('');
}

/** How many findings of each status there are. */
export function countStatuses(findings: readonly Finding[]): Readonly<Record<Status, number>> {
  const counts = { ok: 0, warning: 0, wrong: 0 };
  for (const { status } of findings) counts[status] += 1;
  return counts;
}

/** The last line: whether anything is wrong. */
export function renderSummary(findings: readonly Finding[], seconds: number): string {
  const { ok, warning, wrong } = countStatuses(findings);
  const verdict = wrong > 0 ? `${wrong} wrong` : 'Nothing is wrong';
  return `\n${verdict}; ${warning} warnings, ${ok} ok (${seconds.toFixed(1)} s)\n`;
}
