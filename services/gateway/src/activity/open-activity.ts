import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { UsageCounter } from '@parcelway/kernel/usage-counter';
import type { CallObserver } from '../proxy/ports.ts';
import { AuditTrail } from './audit-trail.ts';
import { FailedCallLog } from './failed-call-log.ts';
import { observeCalls } from './observe-calls.ts';
import type { ActivityStores } from './ports.ts';
import { UnknownBudget } from './unknown-budget.ts';

/** What notes what tenants and operators do. */
export interface Activity {
  readonly observer: CallObserver;
  readonly trail: AuditTrail;
  /** Writes what is held in memory. */
  flush(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Opens the usage, the audit log and the log of failed calls over the gateway's stores. */
export function openActivity({ audit, failedCalls: calls, usage: days }: ActivityStores, clock: Clock, logger: Logger): Activity {
  const trail = new AuditTrail({ store: audit, clock, logger });
  const failedCalls = new FailedCallLog({ store: calls, clock, logger });
  const usage = new UsageCounter({ store: days, clock, logger });
  return {
    observer: observeCalls({ trail, failedCalls, usage, clock, unknowns: new UnknownBudget(clock) }),
    trail,
    async flush() {
      await Promise.all([failedCalls.flush(), usage.flush(), trail.settled()]);
    },
    start() {
      failedCalls.start();
      usage.start();
    },
    async stop() {
      await Promise.all([failedCalls.stop(), usage.stop(), trail.settled()]);
    },
  };
}
