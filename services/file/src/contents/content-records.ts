import { AppError } from '@parcelway/kernel/app-error';
import { createNumbers } from '@parcelway/store/shared/numbers';
import type { Outcome, Store, Stored, Write } from '@parcelway/store/store';
import type { ContentIdentity, NewFile, NewPhoto, ShownNumbers, StoredFile, StoredPhoto } from '../domain/stored-file.ts';
import type { FileKind } from '../uploads/domain/accepted-file-type.ts';
import type { PdfFindings } from '../uploads/domain/inspected-pdf.ts';
import { ABANDONED, type Content, contents, digestOf, ENDED, pendingContent } from './contents-collection.ts';

/** Contents that one look-up finds, and documents of a forecast that one step ends. */
const AT_ONCE = 100;

/** A file from its content; undefined when it is no PDF. */
export function toFile({ storageKey, token, pdf, attachmentId: id }: Content): StoredFile | undefined {
  if (token === undefined || pdf === undefined || id === undefined) return undefined;
  return { id, storageKey, token, ...pdf, findings: pdf.findings === undefined ? undefined : (JSON.parse(pdf.findings) as PdfFindings) };
}

function toPhoto({ storageKey, token, photo }: Content): StoredPhoto | undefined {
  if (token === undefined || photo === undefined) return undefined;
  const { photoId: id, mediaType, ...rest } = photo;
  return { id, storageKey, token, mediaType: mediaType as FileKind['mediaType'], ...rest };
}

/** PDFs and photos by their tokens. @throws AppError 50301 */
export async function contentsOf(store: Store, tokens: readonly string[]): Promise<readonly Stored<Content>[]> {
  const found: Stored<Content>[] = [];
  for (let first = 0; first < tokens.length; first += AT_ONCE) {
    const some = tokens.slice(first, first + AT_ONCE);
    found.push(...(await store.find(contents.by.token, { eq: [], any: some, limit: some.length })).items);
  }
  return found;
}

/** What became of a write onto a content as {@link pendingContent} says, which another may have been quicker at. */
function currentOf(outcome: Outcome | undefined): Stored<Content> | undefined {
  return outcome?.kind === 'lost' ? (outcome.current as Stored<Content> | undefined) : undefined;
}

/**
 * Turns a pending upload into a record.
 * @returns the content that is in the way, if there is one
 * @throws AppError 50301, also when the upload took so long that a sweep has claimed its content
 */
export async function recordContent(
  store: Store,
  ownerId: string,
  storageKey: string,
  record: Partial<Content>,
): Promise<Extract<Outcome, { kind: 'taken' }> | undefined> {
  const patch = pendingContent(ownerId, storageKey);
  const [outcome] = await store.apply([{ in: contents, patch, set: { ...record, sweepFrom: undefined } }]);
  if (outcome?.kind === 'written') return undefined;
  if (outcome?.kind === 'taken') return outcome;
  throw AppError.unavailable('The upload took too long and was cancelled');
}

export type FileStore = ReturnType<typeof createContentRecords>;

export type FileRecords = Pick<FileStore, 'findByContent' | 'recordFile'>;
export type PhotoRecords = Pick<FileStore, 'recordPhoto' | 'recordImage'>;
/** Look-ups by token. They take no owner: knowing the token, 128 random bits, is the permission to open. */
export type PublicContents = Pick<FileStore, 'fileByToken' | 'photoByToken'>;

/**
 * The contents of the service. Each step is one write of one document. Of recording and abandoning an upload exactly one happens, because both write onto
 * the version that the upload began with; so a crash between any two steps leaves a pending or an abandoned content, which the sweep finds, and never a
 * record whose content is removed. Each method throws AppError 50301.
 * @param shown stored with the records
 */
export function createContentRecords(store: Store, shown: ShownNumbers) {
  const nextFile = createNumbers(store, 'files');
  const nextPhoto = createNumbers(store, 'photos');
  const byToken = async (token: string): Promise<Content | undefined> => (await contentsOf(store, [token]))[0]?.value;

  const abandon = async (ownerId: string, storageKey: string): Promise<boolean> => {
    const patch = pendingContent(ownerId, storageKey);
    const [outcome] = await store.apply([{ in: contents, patch, set: { sweepFrom: ABANDONED } }]);
    return outcome?.kind === 'written' || currentOf(outcome)?.value.sweepFrom !== undefined;
  };

  const recordPhoto = async (ownerId: string, { storageKey, token, ...photo }: NewPhoto, more: Partial<Content>): Promise<StoredPhoto> => {
    const photoId = shown.photo(await nextPhoto());
    await recordContent(store, ownerId, storageKey, { ...more, token, photo: { ...photo, photoId } });
    return { ...photo, storageKey, token, id: photoId };
  };

  return {
    /** Notes that a content is about to be stored. @param ownerId tenant id or warehouse code */
    async begin(ownerId: string, storageKey: string, now: number): Promise<void> {
      await store.apply([{ in: contents, insert: { ownerId, storageKey, sweepFrom: now } }]);
    },
    /**
     * Makes sure that an upload can no longer be recorded, so that its content may be removed.
     * @returns false when it has been recorded: its content must stay
     */
    abandon,
    /** Forgets an upload whose content is gone. */
    async forget(ownerId: string, storageKey: string): Promise<void> {
      // As `abandon` leaves it; what the sweep has claimed has been written more often.
      const abandoned = { ...pendingContent(ownerId, storageKey), version: 2 };
      const [outcome] = await store.apply([{ in: contents, delete: abandoned }]);
      const current = currentOf(outcome);
      if (current?.value.sweepFrom !== undefined) await store.apply([{ in: contents, delete: current }]);
    },
    /** Claims uploads that began before `before` or lost to an identical one; none of them can be recorded any more. */
    async claim(before: number, limit: number) {
      const claimed = await store.claimDue(contents.by.sweep, { now: before - 1, until: ABANDONED, limit });
      return claimed.map(({ value: { ownerId, storageKey } }) => ({ ownerId, storageKey }));
    },
    /** The tenant's file with this content: the same MD5 and the same SHA-256. */
    async findByContent(tenantId: string, content: ContentIdentity): Promise<StoredFile | undefined> {
      const { items } = await store.find(contents.by.digest, { eq: [tenantId, digestOf(content)], limit: 1 });
      return items[0] && toFile(items[0].value);
    },
    /**
     * Records a file whose content is stored, or returns the record that the tenant already has of this content; then the given content is the caller's to
     * remove. Ends the pending upload in the same write.
     */
    async recordFile(tenantId: string, file: NewFile): Promise<{ readonly file: StoredFile; readonly isNew: boolean }> {
      const { storageKey, token, findings, ...pdf } = file;
      const attachmentId = shown.file(await nextFile());
      const taken = await recordContent(store, tenantId, storageKey, {
        token,
        attachmentId,
        pdf: { ...pdf, ...(findings && { findings: JSON.stringify(findings) }) },
        ...{ digestOf: digestOf(file), shownAt: file.uploadedAt, useRank: 0, stored: 'pdf' },
      });
      if (taken === undefined) return { file: { ...file, id: attachmentId }, isNew: true };
      const winner = taken.holder && toFile(taken.holder.value as Content);
      // What was in the way a moment ago may have ended.
      if (winner === undefined) throw AppError.unavailable('The store returned inconsistent data; try again');
      await abandon(tenantId, storageKey);
      return { file: winner, isNew: false };
    },
    recordPhoto: (warehouseCode: string, photo: NewPhoto) => recordPhoto(warehouseCode, photo, {}),
    /** A tenant's own image. @param unusedSince from when on it counts as unused while no forecast has it, epoch milliseconds */
    recordImage: (tenantId: string, image: NewPhoto, unusedSince: number) => recordPhoto(tenantId, image, { stored: 'image', unusedSince }),
    /** @param which `all`: also files that were deleted a moment ago, while their content is there */
    async fileByToken(token: string, which: 'shown' | 'all' = 'shown'): Promise<StoredFile | undefined> {
      const content = await byToken(token);
      return content && (which === 'all' || content.shownAt !== undefined) ? toFile(content) : undefined;
    },
    async photoByToken(token: string): Promise<StoredPhoto | undefined> {
      const content = await byToken(token);
      return content && toPhoto(content);
    },
  };
}

/** Ends contents; the sweep removes them. One that has changed meanwhile stays. @throws AppError 50301 */
export async function endContents(store: Store, ended: readonly Stored<Content>[]): Promise<void> {
  await store.apply(ended.map((content): Write => ({ in: contents, patch: content, set: ENDED })));
}

/** Ends the documents of a forecast: those of versions before one, or all. @throws AppError 50301 */
export async function endDocuments(store: Store, tenantId: string, forecastNo: string, before?: number): Promise<void> {
  let count: number;
  do {
    const range = { eq: [tenantId, forecastNo], ...(before !== undefined && { to: before }) };
    const { items } = await store.find(contents.by.documents, { ...range, limit: AT_ONCE });
    await endContents(store, items);
    count = items.length;
  } while (count === AT_ONCE);
}
