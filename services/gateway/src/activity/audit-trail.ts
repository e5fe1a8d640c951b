import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { newId } from '@parcelway/kernel/ids';
import type { Logger } from '@parcelway/kernel/logger';
import type { AuditRecord, AuditStore } from './audit-collection.ts';
import { type AuditEnd, keptId } from './domain/audit-entry.ts';

/** What the trail works with. */
export interface AuditTrailOptions {
  readonly store: AuditStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds until an outcome is written again, times the tries; default 500. */
  readonly retryMs?: number;
}

/** A change that is about to be made. */
export type AnnouncedChange = Omit<AuditRecord, 'entryId' | 'at' | 'outcome'>;

/** An entry whose change is under way. */
export interface OpenEntry {
  /**
   * The request is over. Never rejects: an entry that cannot be finished keeps the outcome `unknown`.
   * @param resourceId undefined when the entry has it already, or it is still not known
   */
  end(end: AuditEnd, resourceId?: string): Promise<void>;
}

/** Tries to finish an entry; what is not finished then stays unknown. */
const MAX_TRIES = 3;
const RETRY_MS = 500;

/**
 * Keeps who changed what. An entry is durable before its change begins, with the outcome `unknown`, and is finished after it: so no change is without an entry,
 * wherever a process ends.
 */
export class AuditTrail {
  readonly #options: AuditTrailOptions;
  readonly #ending = new Set<Promise<void>>();

  constructor(options: AuditTrailOptions) {
    this.#options = options;
  }

  /** Writes the entry of a change. @throws AppError 50301 when it cannot be written: the change must not be made then */
  async begin(change: AnnouncedChange): Promise<OpenEntry> {
    const { store, clock } = this.#options;
    const resource = { resourceId: keptId(change.resourceId) };
    const entry: AuditRecord = { ...change, ...resource, entryId: newId('aud'), at: clock.now(), outcome: 'unknown' };
    try {
      await store.add(entry);
    } catch (error) {
      throw AppError.unavailable('The audit log cannot be written, so nothing was changed; try again', error as Error);
    }
    return {
      end: (end, resourceId) => {
        const ending = this.#end(resourceId === undefined ? entry : { ...entry, resourceId: keptId(resourceId) }, end).finally(() =>
          this.#ending.delete(ending),
        );
        this.#ending.add(ending);
        return ending;
      },
    };
  }

  /** Resolves when all entries whose requests are over are finished. */
  async settled(): Promise<void> {
    await Promise.all(this.#ending);
  }

  async #end(entry: AuditRecord, end: AuditEnd): Promise<void> {
    if (end === 'unknown') return;
    const { store, logger, retryMs = RETRY_MS } = this.#options;
    for (let tries = 1; ; tries += 1) {
      try {
        if (end === 'refused') await store.remove(entry);
        else await store.finish({ ...entry, outcome: 'success' });
        return;
      } catch (error) {
        if (tries === MAX_TRIES) {
          logger.warn(
            { err: error, entry_id: entry.entryId },
            'The outcome of an entry of the audit log could not be stored; it stays unknown',
          );
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, retryMs * tries));
      }
    }
  }
}
