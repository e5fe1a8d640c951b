import type { EventHandlers } from '@parcelway/bus/bus';
import type { Clock } from '@parcelway/kernel/clock';
import { concerns, type ImportStop, reasonOf } from './domain/import-stop.ts';
import type { ImportStops, ImportStore } from './import-store.ts';
import type { ImportFiles } from './ports.ts';

export interface StopImportsOptions {
  readonly store: Pick<ImportStore, 'unfinished' | 'finish' | 'remove'>;
  readonly stops: Pick<ImportStops, 'note'>;
  readonly files: Pick<ImportFiles, 'delete'>;
  readonly clock: Clock;
}

/**
 * Stops unfinished imports: no further row is submitted once the rows that are being submitted have their results, and what was accepted stays.
 * An upload that is under way begins no import. May be repeated, also after a crash at any point.
 *
 * The stop is noted before the imports are read, and an upload adds its import before it reads the stops: whichever comes first, one sees the other.
 * @throws AppError 50301 when a store is out
 */
export async function stopImports({ store, stops, files, clock }: StopImportsOptions, stop: ImportStop): Promise<void> {
  await stops.note(stop, clock.now());
  for (const record of await store.unfinished(stop.tenantId)) {
    if (!concerns(stop, record)) continue;
    if (record.state === 'receiving') {
      await files.delete(record.fileKey);
      if (await store.remove(record, 'receiving')) continue;
    }
    // Also one that has begun to run meanwhile.
    const isStopped = await store.finish(record, { state: 'cancelled', error: { ...reasonOf(stop, 'running') }, at: clock.now() });
    if (isStopped) await files.delete(record.fileKey);
  }
}

/** Stops imports whose key was revoked, or whose tenant was suspended. A late event does not stop what a tenant began once it was resumed. */
export function importHandlers(options: StopImportsOptions) {
  return {
    'key.revoked': ({ tenantid, data }) =>
      stopImports(options, { tenantId: tenantid, keyId: data.key_id, at: Date.parse(data.revoked_at) }),
    'tenant.suspended': ({ data }) => stopImports(options, { tenantId: data.tenant_id, keyId: null, at: Date.parse(data.suspended_at) }),
  } satisfies EventHandlers;
}
