import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { UsageCounter, type UsageStore } from '@parcelway/kernel/usage-counter';
import type { AuditStore } from './audit-collection.ts';
import { AuditTrail } from './audit-trail.ts';
import type { FailedCallStore } from './failed-call-collection.ts';
import { FailedCallLog } from './failed-call-log.ts';
import { observeCalls } from './observe-calls.ts';
import { UnknownBudget } from './unknown-budget.ts';

/** Where the gateway keeps what tenants do. */
export interface ActivityStores {
  readonly audit: AuditStore;
  readonly failedCalls: FailedCallStore;
  readonly usage: UsageStore;
}

/** What notes what tenants and operators do. */
export type Activity = ReturnType<typeof openActivity>;

/** Opens the usage, the audit log and the log of failed calls over the gateway's stores. */
export function openActivity({ audit, failedCalls: calls, usage: days }: ActivityStores, clock: Clock, logger: Logger) {
  const trail = new AuditTrail({ store: audit, clock, logger });
  const failedCalls = new FailedCallLog({ store: calls, clock, logger });
  const usage = new UsageCounter({ store: days, clock, logger });
  return {
    observer: observeCalls(trail, failedCalls, usage, new UnknownBudget(clock), clock),
    trail,
    /** Writes what is held in memory. */
    async flush(): Promise<void> {
      await Promise.all([failedCalls.flush(), usage.flush(), trail.settled()]);
    },
    start(): void {
      failedCalls.start();
      usage.start();
    },
    async stop(): Promise<void> {
      await Promise.all([failedCalls.stop(), usage.stop(), trail.settled()]);
    },
  };
}
