import type { LedgerReport } from '../kill/check-ledger.ts';
import type { Fault, FaultReport } from './fault.ts';
import type { RunMark } from './run-mark.ts';

/** A row that may be run. */
export type PlannedRow = Pick<Fault, 'group' | 'name' | 'expected'>;

/** What a run came to. */
export interface RowResult {
  /** What was done and measured. */
  readonly observed: string;
  /** Effects that the ledger was owed, what was found of them, what was missing and what was there more than once. */
  readonly submitted: number;
  readonly seen: number;
  readonly lost: number;
  readonly doubled: number;
  readonly webhooks: number;
  /** Webhooks that came again under their id. */
  readonly repeats: number;
  /** Failed requests that the clients sent again; null where nobody counts them. */
  readonly sentAgain: number | null;
  /** From the end of the fault until everything was delivered, in whole seconds; null where nobody measures it. */
  readonly quietAfterS: number | null;
  /** Of the ledger and of the fault. */
  readonly verdict: string;
  readonly run: RunMark;
}

/** A row that was run. */
export interface FaultRow extends PlannedRow {
  readonly result: RowResult;
}

/** Verdict of a row without violations. */
export const NOTHING_WRONG = 'nothing lost, nothing duplicated';
const MAX_SHOWN = 3;

/** What identifies a row. */
export const keyOf = ({ group, name }: Pick<PlannedRow, 'group' | 'name'>): string => `${group}: ${name}`;

function verdictOf(violations: readonly string[]): string {
  return violations.length === 0 ? NOTHING_WRONG : `**${violations.length} violations**: ${violations.slice(0, MAX_SHOWN).join('; ')}`;
}

const ledgerCells = ({ effects, webhooks, repeatedWebhooks: repeats }: LedgerReport) => ({ ...effects, webhooks, repeats });

/** The row of a fault that was run. */
export function rowOfFault({ fault, ledger, observed, failedRequests, quietAfterS, violations }: FaultReport, run: RunMark): FaultRow {
  const { group, name, expected } = fault;
  const counted = { sentAgain: failedRequests, quietAfterS: Math.round(quietAfterS) };
  return { group, name, expected, result: { observed, ...ledgerCells(ledger), ...counted, verdict: verdictOf(violations), run } };
}

/** The row of kills that have a ledger of their own. */
export function rowOfKills(planned: PlannedRow, observed: string, ledger: LedgerReport, run: RunMark): FaultRow {
  const counted = { sentAgain: null, quietAfterS: null };
  return { ...planned, result: { observed, ...ledgerCells(ledger), ...counted, verdict: verdictOf(ledger.violations), run } };
}

/** One line for all rows. */
export function summaryOf(rows: readonly FaultRow[]): string {
  const results = rows.map(({ result }) => result);
  const sum = (of: (result: RowResult) => number): number => results.reduce((total, result) => total + of(result), 0);
  const failed = results.filter(({ verdict }) => verdict !== NOTHING_WRONG).length;
  return (
    `${results.length} rows; ledger: ${sum(({ submitted }) => submitted)} submitted, ${sum(({ seen }) => seen)} seen, ` +
    `${sum(({ lost }) => lost)} lost, ${sum(({ doubled }) => doubled)} doubled; ` +
    `${sum(({ webhooks }) => webhooks)} webhooks received, ${sum(({ repeats }) => repeats)} of them repeats; ` +
    `${failed === 0 ? 'no row has violations' : `${failed} rows have violations`}.`
  );
}
