import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type Archive, type ArchiveKind, type ArchiveObject, archiveDay, archivePath } from './archive.ts';

const compress = promisify(gzip);
const expand = promisify(gunzip);

/** Most bytes of an object that are read back: what is written is far smaller. */
const MAX_EXPANDED_BYTES = 256 * 1024 * 1024;

/** A record of the archive: one line. It says all of itself, so that a line can be read without the others. */
export interface ArchiveRecord {
  /** Version of `data`. */
  readonly schema: 1;
  readonly kind: ArchiveKind;
  readonly tenant_id: string;
  /** The same for a repeat of the record after a crash. */
  readonly id: string;
  /** ISO 8601. */
  readonly archived_at: string;
  /** As the API of merchants shows it. */
  readonly data: unknown;
}

/** Records that are archived together: of one tenant and kind, at least one. */
export interface ArchiveBatch {
  readonly tenantId: string;
  readonly kind: ArchiveKind;
  readonly records: readonly { readonly id: string; readonly data: unknown }[];
}

/**
 * Writes a batch as one object and resolves once it is durable. The name follows from the ids, so the same batch on the same day replaces itself.
 * @param now epoch milliseconds
 * @throws AppError 50301
 */
export async function archiveBatch(archive: Archive, { tenantId, kind, records }: ArchiveBatch, now: number): Promise<ArchiveObject> {
  const ids = records.map(({ id }) => id);
  const name = createHash('sha256').update(ids.join('\n')).digest('hex').slice(0, 32);
  const archived_at = new Date(now).toISOString();
  const lines = records.map(({ id, data }) => {
    const record: ArchiveRecord = { schema: 1, kind, tenant_id: tenantId, id, archived_at, data };
    return `${JSON.stringify(record)}\n`;
  });
  const object = { tenantId, kind, day: archiveDay(now), name };
  await archive.put(archivePath(object), await compress(lines.join('')));
  return object;
}

/**
 * The records of an object, in the order of their lines; undefined when there is none.
 * @throws AppError 50301; Error when the object is damaged
 */
export async function readArchived(archive: Archive, path: string): Promise<readonly ArchiveRecord[] | undefined> {
  const content = await archive.get(path);
  if (content === undefined) return undefined;
  const text = (await expand(content, { maxOutputLength: MAX_EXPANDED_BYTES })).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ArchiveRecord);
}
