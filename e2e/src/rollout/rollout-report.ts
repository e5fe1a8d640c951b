import type { ServiceName } from '@parcelway/contracts/service-name';
import type { LedgerReport } from '../kill/check-ledger.ts';
import type { Replacement, RolloutTiming } from './deployment.ts';

/** How a rolling restart is to be. */
export interface RolloutOptions {
  /** Services to restart; all run. */
  readonly services: readonly ServiceName[];
  readonly rounds: number;
  /** Directory of another version, built: its processes run first, and are replaced by those of this version; default this version. */
  readonly from?: string;
  /** In the end, processes of {@link from} come back. */
  readonly back?: boolean;
  readonly parcelsPerSecond: number;
  readonly timing: RolloutTiming;
  /** Receives the progress, a line each. */
  readonly say: (line: string) => void;
}

/** One process replaced by another, under load. */
export interface RolloutStep extends Replacement {
  readonly round: number;
  readonly service: ServiceName;
  /** Begun while the replacement went on. */
  readonly requests: number;
  readonly failures: readonly string[];
  /** Milliseconds. */
  readonly p99Ms: number;
  readonly slowestMs: number;
  /** What processes did again by themselves meanwhile. */
  readonly retries: number;
}

/** Outcome of a rolling restart. */
export interface RolloutReport {
  readonly options: Omit<RolloutOptions, 'say'>;
  readonly steps: readonly RolloutStep[];
  /** Over the whole run, also before, between and after the replacements. */
  readonly requests: number;
  readonly requestsByKind: Readonly<Record<string, number>>;
  readonly failures: readonly string[];
  readonly refusedConnections: number;
  /** What the processes have logged above information, counted. */
  readonly logged: readonly string[];
  /** All of it, when something must not be; null otherwise. */
  readonly logFile: string | null;
  readonly ledger: LedgerReport;
  /** Everything that must not be; empty when the restart was not noticed by anybody. */
  readonly violations: readonly string[];
}
