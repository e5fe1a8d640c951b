import { randomBytes } from 'node:crypto';
import type { Blobs } from '@parcelway/blobs/blobs';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Logger } from '@parcelway/kernel/logger';
import type { FileStore } from './contents/content-records.ts';
import type { ContentDigest } from './domain/stored-file.ts';
import type { IncomingFile } from './ports.ts';

export interface StoreContentOptions {
  readonly blobs: Blobs;
  readonly pending: Pick<FileStore, 'begin' | 'abandon' | 'forget'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface StoreTenantContentOptions extends StoreContentOptions {
  readonly isErased: (tenantId: string) => boolean;
}

/** Refuses an upload that began before its tenant was erased: its content is removed like that of any refused upload. @throws AppError 40302 */
export function assertNotErased({ isErased }: StoreTenantContentOptions, tenantId: string): void {
  if (isErased(tenantId)) throw new AppError('40302', 'The data of the tenant was erased');
}

export interface ContentJob<T> {
  /** Tenant id or warehouse code. */
  readonly ownerId: string;
  readonly prefix: 'pdf' | 'photo';
  readonly incoming: IncomingFile;
  readonly failpoint: 'file.content-stored' | 'photo.content-stored';
  /** Runs when the whole content is known and not yet stored; a failure cancels the storing. */
  readonly beforeStored?: ((digest: ContentDigest) => Promise<void>) | undefined;
  /** Writes the record. `keep` false: the content is not needed and is removed. */
  readonly record: (storageKey: string, digest: ContentDigest) => Promise<{ readonly value: T; readonly keep: boolean }>;
}

/** A failure to save as merchants see it: refusals as they are, everything else as 42207, which may be tried again. */
function asSaveFailure(error: unknown): AppError {
  if (error instanceof AppError && error.code !== '50301') return error;
  const retryAfterSeconds = error instanceof AppError ? (error.retryAfterSeconds ?? 1) : 1;
  return new AppError('42207', undefined, { cause: error, retryAfterSeconds });
}

/**
 * Removes a content and the note of it, unless it has been recorded: a store that did not respond in time may have written
 * the record all the same. What fails here is left to the sweep.
 * @param isStored false when the storing failed: the object store may still finish what it was given, behind the deletion.
 * Then the note stays, for the sweep to delete once more
 */
export async function discardContent(options: StoreContentOptions, ownerId: string, storageKey: string, isStored: boolean): Promise<void> {
  try {
    if (!(await options.pending.abandon(ownerId, storageKey))) return;
    await options.blobs.delete(storageKey);
    if (isStored) await options.pending.forget(ownerId, storageKey);
  } catch (error) {
    options.logger.warn({ err: error, storage_key: storageKey }, 'Cannot remove the rest of an upload; the next sweep removes it');
  }
}

/**
 * Stores a content under a key of its own, then writes its record: never the other way round, so that a record always
 * has its content. The note of the pending upload is written while the content streams in and is durable before the
 * content can be; whatever fails leaves neither record nor content, at the latest after the next sweep.
 * @throws AppError 42204, 42205, 42206 of the upload; 42207 when it could not be saved
 */
export async function storeContent<T>(options: StoreContentOptions, job: ContentJob<T>): Promise<T> {
  const { ownerId, incoming } = job;
  const storageKey = `${job.prefix}/${randomBytes(16).toString('hex')}`;
  const noted = options.pending.begin(ownerId, storageKey, options.clock.now());
  incoming.beforeEnd(async (digest) => {
    await noted;
    await job.beforeStored?.(digest);
  });
  try {
    const [{ value, keep }] = await Promise.all([storeThenRecord(options, job, storageKey), noted]);
    if (!keep) await discardContent(options, ownerId, storageKey, true);
    return value;
  } catch (error) {
    const isNoted = await noted.then(
      () => true,
      () => false, // reported as the failure of the content, which waits for it
    );
    if (isNoted) await discardContent(options, ownerId, storageKey, false);
    throw asSaveFailure(incoming.refusal ?? error);
  }
}

async function storeThenRecord<T>(
  options: StoreContentOptions,
  job: ContentJob<T>,
  storageKey: string,
): Promise<{ value: T; keep: boolean }> {
  const { incoming } = job;
  await options.blobs.put(storageKey, incoming.content, incoming.kind.mediaType);
  await failpointAsync(job.failpoint);
  return job.record(storageKey, incoming.digest());
}
