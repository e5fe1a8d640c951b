import { AUDIT_KEPT_DAYS, FAILED_CALLS_KEPT_DAYS } from '@parcelway/contracts/activity-api';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { deletionStep, Upkeep } from '@parcelway/kernel/upkeep';
import { UsageCounter } from '@parcelway/kernel/usage-counter';
import type { CallObserver } from '../proxy/ports.ts';
import { AuditTrail } from './audit-trail.ts';
import { FailedCallLog } from './failed-call-log.ts';
import { observeCalls } from './observe-calls.ts';
import type { ActivityStores } from './ports.ts';
import { UnknownBudget } from './unknown-budget.ts';

const DAY_MS = 86_400_000;

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
  const deletions = [
    { what: 'Deleting old failed calls', keptMs: FAILED_CALLS_KEPT_DAYS * DAY_MS, store: calls },
    { what: 'Deleting old entries of the audit log', keptMs: AUDIT_KEPT_DAYS * DAY_MS, store: audit },
  ];
  const steps = deletions.map(({ store, ...rest }) =>
    deletionStep(clock, { ...rest, deleteBefore: (at, limit) => store.deleteBefore(at, limit) }),
  );
  const sweep = new Upkeep({ steps, everyMs: 60_000, logger });
  return {
    observer: observeCalls({ trail, failedCalls, usage, clock, unknowns: new UnknownBudget(clock) }),
    trail,
    async flush() {
      await Promise.all([failedCalls.flush(), usage.flush(), trail.settled()]);
    },
    start() {
      failedCalls.start();
      usage.start();
      sweep.start();
    },
    async stop() {
      await Promise.all([failedCalls.stop(), usage.stop(), sweep.stop(), trail.settled()]);
    },
  };
}
