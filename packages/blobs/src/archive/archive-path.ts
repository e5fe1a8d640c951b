/** What an archive holds records of: the first word of what they are. */
export const archiveKinds = ['forecasts', 'shipments'] as const;
export type ArchiveKind = (typeof archiveKinds)[number];

/** Names an object of the archive. One object has records of one tenant and kind alone, so that whatever concerns a tenant concerns whole objects. */
export interface ArchiveObject {
  readonly tenantId: string;
  readonly kind: ArchiveKind;
  /** UTC day on which the records were archived, `yyyy-mm-dd`. */
  readonly day: string;
  /** Without the ending. */
  readonly name: string;
}

const ENDING = '.ndjson.gz';
const PATH = /^([A-Za-z0-9][A-Za-z0-9_.-]*)\/([a-z]+)\/(\d{4})\/(\d{2})\/(\d{2})\/([A-Za-z0-9_-]+)\.ndjson\.gz$/;

/** `<tenant>/<kind>/<yyyy>/<mm>/<dd>/<name>.ndjson.gz` */
export function archivePath({ tenantId, kind, day, name }: ArchiveObject): string {
  return `${tenantId}/${kind}/${day.replaceAll('-', '/')}/${name}${ENDING}`;
}

/** What a path names; undefined for another path. */
export function readArchivePath(path: string): ArchiveObject | undefined {
  const [, tenantId, kind, year, month, date, name] = PATH.exec(path) ?? [];
  const known = archiveKinds.find((one) => one === kind);
  if (tenantId === undefined || known === undefined || name === undefined) return undefined;
  return { tenantId, kind: known, day: `${year}-${month}-${date}`, name };
}

/** The UTC day of an instant in epoch milliseconds, as {@link ArchiveObject} has it. */
export function archiveDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
