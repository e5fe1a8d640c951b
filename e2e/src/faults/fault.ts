import type { Merchant } from '@parcelway/harness/merchant';
import type { Operator } from '@parcelway/harness/operator';
import type { PlatformProcess } from '@parcelway/harness/platform-process';
import type { WarehouseClerk } from '@parcelway/harness/warehouse';
import type { WebhookReceiver } from '@parcelway/harness/webhook-receiver';
import type { LedgerReport } from '../ledger/check-ledger.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Load } from '../ledger/load.ts';
import type { FaultServers, ServerMake } from './fault-servers.ts';

/** What a fault works with, under load. */
export interface FaultStage {
  readonly servers: FaultServers;
  readonly platform: PlatformProcess;
  readonly operator: Operator;
  /** The tenant of the load, and its warehouse. */
  readonly merchant: Merchant;
  readonly clerk: WarehouseClerk;
  readonly ledger: Ledger;
  readonly load: Load;
  /** Endpoints that name no events. */
  readonly receivers: readonly [WebhookReceiver, WebhookReceiver];
  /** Id of the second endpoint. */
  readonly endpointId: string;
}

/** What a fault found out besides the ledger. */
export interface Findings {
  /** What was done and measured. */
  readonly observed: string;
  /** Expectations that did not hold; empty when all did. */
  readonly violations: readonly string[];
}

/** A row of the table: what breaks, and what must hold besides the ledger. */
export interface Row {
  /** Such as `stopped for 10 s`. */
  readonly name: string;
  /** Its heading, such as `Kafka`. */
  readonly group: string;
  /** What clients must see. */
  readonly expected: string;
}

/** One thing that goes wrong in distributed mode, under load. */
export interface Fault extends Row {
  readonly servers: ServerMake;
  /** Servers that the platform reaches through a proxy, by variable; default none. */
  readonly proxied?: readonly string[];
  /** Further variables of the platform. */
  readonly env?: Readonly<Record<string, string>>;
  /** Breaks something and heals it. The load runs from before to after. */
  strike(stage: FaultStage): Promise<Findings>;
}

/** Outcome of a row, with the violations of the ledger. */
export interface FaultReport extends Row, Findings {
  readonly ledger: LedgerReport;
}

/** Expectation of a row that the ledger alone judges. */
export const LOSSLESS = 'nothing lost, nothing doubled';
