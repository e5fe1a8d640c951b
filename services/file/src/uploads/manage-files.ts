import { AppError } from '@parcelway/kernel/app-error';
import type { StoredFile } from '../domain/stored-file.ts';
import type { FileQuery, FileUses, OwnFiles } from './own-files.ts';

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

/** Uses in the terms of the API. */
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
