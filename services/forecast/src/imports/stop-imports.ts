import type { Clock } from '@parcelway/kernel/clock';
import type { ImportFiles, ImportJobs, ImportRecord, ImportRemoval } from './ports.ts';

/** What stopping works with. */
export interface StopImportsOptions {
  readonly store: Pick<ImportJobs, 'unfinished' | 'finish'> & Pick<ImportRemoval, 'remove'>;
  readonly files: Pick<ImportFiles, 'delete'>;
  readonly clock: Clock;
}

/** Why imports stop. */
export interface StopReason {
  /** That whoever used the key or the tenant would get. */
  readonly code: '40003' | '40302';
  readonly message: string;
}

/** A key is revoked for good. */
export const keyRevoked: StopReason = {
  code: '40003',
  message: 'The import was stopped because the API key that began it was revoked. Import the remaining rows with another key',
};

/** A tenant is suspended, perhaps for a while. */
export const tenantSuspended: StopReason = {
  code: '40302',
  message: 'The import was stopped because the tenant was suspended. Import the remaining rows once it has been resumed',
};

/**
 * Stops unfinished imports of a tenant: no further row is submitted once the rows that are being submitted have their results, and what was accepted stays.
 * An upload that is under way begins no import. May be repeated.
 * @param concerns those that are to stop
 * @throws AppError 50301 when a store is out
 */
export async function stopImports(
  { store, files, clock }: StopImportsOptions,
  tenantId: string,
  reason: StopReason,
  concerns: (record: ImportRecord) => boolean,
): Promise<void> {
  for (const record of await store.unfinished(tenantId)) {
    if (!concerns(record)) continue;
    const { code, message } = reason;
    const isStopped = await store.finish(record, { state: 'cancelled', error: { code, message }, at: clock.now() });
    if (!isStopped && record.state !== 'receiving') continue;
    await files.delete(record.fileKey);
    if (record.state === 'receiving') await store.remove(record);
  }
}
