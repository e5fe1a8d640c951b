import type { Merchant } from '@parcelway/harness/merchant';
import type { Operator } from '@parcelway/harness/operator';
import type { PlatformProcess } from '@parcelway/harness/platform-process';
import type { WarehouseClerk } from '@parcelway/harness/warehouse';
import type { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import type { LedgerReport } from '../kill/check-ledger.ts';
import type { ContinuousLoad } from './continuous-load.ts';
import type { FaultServers, ServerMake } from './fault-servers.ts';

/** What a fault works with, under load. */
export interface FaultStage {
  readonly servers: FaultServers;
  readonly platform: PlatformProcess;
  readonly operator: Operator;
  /** The tenant of the load, and its warehouse. */
  readonly merchant: Merchant;
  readonly clerk: WarehouseClerk;
  readonly load: ContinuousLoad;
  /** Of all events of the tenant. */
  readonly receivers: readonly [WebhookReceiver, WebhookReceiver];
}

/** What a fault found out besides the ledger. */
export interface Findings {
  /** For the table: what was done and measured. */
  readonly observed: string;
  /** Expectations that did not hold; empty when all did. */
  readonly violations: readonly string[];
}

/** One thing that goes wrong, under load. */
export interface Fault {
  /** Row of the table, such as `Kafka stopped for 10 s`. */
  readonly name: string;
  /** Its heading, such as `Kafka`. */
  readonly group: string;
  /** What has to be seen by those outside. */
  readonly expected: string;
  /** `defaults`: single, with Kafka's own times for groups. */
  readonly servers: ServerMake;
  /** Servers that the platform reaches through a proxy, by variable; default none. */
  readonly proxied?: readonly string[];
  /** Further variables of the platform. */
  readonly env?: Readonly<Record<string, string>>;
  /** Breaks something and heals it. The load runs from before to after. */
  strike(stage: FaultStage): Promise<Findings>;
}

/** A row of the table. */
export type PlannedRow = Pick<Fault, 'group' | 'name' | 'expected'>;

/** Outcome of a row. */
export interface FaultReport {
  readonly fault: PlannedRow;
  readonly ledger: LedgerReport;
  readonly observed: string;
  /** Failed requests that the clients sent again; null where nobody counts them. */
  readonly failedRequests: number | null;
  /** From the end of the fault until everything was delivered, in seconds; null where nobody measures it. */
  readonly quietAfterS: number | null;
  /** Of the ledger and of the fault. */
  readonly violations: readonly string[];
}

/** What a row without violations shows. */
export const NOTHING_WRONG = 'nothing lost, nothing duplicated';

/** What identifies a row. */
export const keyOf = ({ group, name }: Pick<PlannedRow, 'group' | 'name'>): string => `${group}: ${name}`;
