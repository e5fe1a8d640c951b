import { MAX_COUNTED_USES, MAX_SHOWN_USES } from '@parcelway/contracts/own-files-api';
import { AppError } from '@parcelway/kernel/app-error';
import { decideTogether } from '@parcelway/store/in-turn';
import type { Store } from '@parcelway/store/store';
import { toFile } from '../contents/content-records.ts';
import { contents, HIDDEN } from '../contents/contents-collection.ts';
import type { StoredFile } from '../domain/stored-file.ts';
import { forecastFiles } from '../retention/forecast-files-collection.ts';

/** Filters and page of a list. Instants are epoch milliseconds. */
export interface FileQuery {
  /** Only files that a forecast names, or only the others. */
  readonly isUsed?: boolean;
  /** Uploaded at or after. */
  readonly uploadedFrom?: number;
  /** Uploaded before. */
  readonly uploadedTo?: number;
  /** `next` of the page before. */
  readonly after?: string;
  readonly limit: number;
}

export type OwnFiles = ReturnType<typeof createOwnFiles>;
export type FileUses = Awaited<ReturnType<OwnFiles['usesOf']>>;

/** A tenant's own view of its uploaded PDFs. A file that was deleted is not among them. Each method throws AppError 50301. */
export function createOwnFiles(store: Store) {
  const find = async (tenantId: string, attachmentId: number) =>
    (await store.find(contents.by.attachment, { eq: [tenantId, attachmentId], limit: 1 })).items[0];
  return {
    /** Newest first, and where the next page begins, whichever of the files it is to have; null on the last page. */
    async list(tenantId: string, { isUsed, uploadedFrom, uploadedTo, after, limit }: FileQuery) {
      const page = {
        ...(uploadedFrom !== undefined && { from: uploadedFrom }),
        ...(uploadedTo !== undefined && { to: uploadedTo }),
        ...(after !== undefined && { after }),
        limit,
      };
      const { items, next } =
        isUsed === undefined
          ? await store.find(contents.by.shown, { eq: [tenantId], ...page })
          : await store.find(contents.by.shownByUse, { eq: [tenantId, isUsed ? 1 : 0], ...page });
      return { files: items.map(({ value }) => toFile(value) as StoredFile), next };
    },
    /** @param attachmentId as tenants see it */
    async find(tenantId: string, attachmentId: number): Promise<StoredFile | undefined> {
      const found = await find(tenantId, attachmentId);
      return found?.value.shownAt === undefined ? undefined : toFile(found.value);
    },
    /** The forecasts that name a file now: the newest first, at most MAX_SHOWN_USES, and how many they are, counted up to MAX_COUNTED_USES. */
    async usesOf(tenantId: string, token: string) {
      const { items, next } = await store.find(forecastFiles.by.named, { eq: [tenantId, token], limit: MAX_SHOWN_USES });
      const uses = items.map(({ value: { forecastNo, poNumber, files } }) => ({
        forecastNo,
        poNumber,
        fields: files.find((file) => file.token === token)?.fields ?? [],
      }));
      if (next === null) return { uses, count: uses.length };
      return { uses, count: (await store.count(forecastFiles.by.named, { eq: [tenantId, token], most: MAX_COUNTED_USES })).count };
    },
    /**
     * Hides a file that no forecast names: it can be neither opened nor found, and its content is unused from now on. A forecast that is noted to name it
     * shows it again, at the same moment or later. A repeat has no effect.
     * @param now epoch milliseconds
     */
    async hide(tenantId: string, attachmentId: number, now: number): Promise<'hidden' | 'used' | 'missing'> {
      let outcome: 'hidden' | 'used' | 'missing' = 'missing';
      await decideTogether(store, tenantId, async () => {
        const file = await find(tenantId, attachmentId);
        outcome = file === undefined ? 'missing' : 'hidden';
        if (file?.value.token === undefined || file.value.shownAt === undefined) return [];
        const { items: uses } = await store.find(forecastFiles.by.named, { eq: [tenantId, file.value.token], limit: 1 });
        // A forecast that names the file meanwhile writes the file, too.
        if (uses.length === 0) return [{ in: contents, patch: file, set: { ...HIDDEN, unusedSince: now } }];
        outcome = 'used';
        return [];
      });
      return outcome;
    },
  };
}

/** A file with the forecasts that name it. */
export interface UsedFile extends FileUses {
  readonly file: StoredFile;
}

/** The refusal of a file that does not exist, whoever asks. */
const noFile = (): AppError => new AppError('40403', 'There is no such file; GET /open/v1/files lists your files');

async function withUses(store: OwnFiles, tenantId: string, file: StoredFile): Promise<UsedFile> {
  return { file, ...(await store.usesOf(tenantId, file.token)) };
}

/** A page of a tenant's files, newest first. @throws AppError 50301 */
export async function listFiles(store: OwnFiles, tenantId: string, query: FileQuery) {
  const { files, next } = await store.list(tenantId, query);
  return { files: await Promise.all(files.map((file) => withUses(store, tenantId, file))), next };
}

/** A file of a tenant. @throws AppError 40403 when the tenant has none with this number; 50301 */
export async function findFile(store: OwnFiles, tenantId: string, attachmentId: number): Promise<StoredFile> {
  const file = await store.find(tenantId, attachmentId);
  if (file === undefined) throw noFile();
  return file;
}

/** As {@link findFile}, with its uses. */
export async function readFile(store: OwnFiles, tenantId: string, attachmentId: number): Promise<UsedFile> {
  return withUses(store, tenantId, await findFile(store, tenantId, attachmentId));
}

export function usesData({ uses, count }: FileUses) {
  const used_by = uses.map(({ poNumber, forecastNo, fields }) => ({ po_number: poNumber, forecast_no: forecastNo, fields: [...fields] }));
  return { used_by, used_by_count: count };
}

/**
 * Deletes a file that no forecast names.
 * @param now epoch milliseconds
 * @throws AppError 40403; 40902 with the forecasts that name it; 50301
 */
export async function deleteFile(store: OwnFiles, tenantId: string, attachmentId: number, now: number): Promise<void> {
  const outcome = await store.hide(tenantId, attachmentId, now);
  if (outcome === 'hidden') return;
  const { file, ...uses } = await readFile(store, tenantId, attachmentId);
  const message = `Forecasts name the file ${file.id}: cancel them or correct their shipping_label and shipping_note first`;
  if (outcome === 'used') throw new AppError('40902', message, { data: usesData(uses) });
  throw noFile();
}
