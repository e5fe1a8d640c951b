import { existsSync } from 'node:fs';
import { mkdir, open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AdminClient, Data } from '../admin-client.ts';
import { rowsOf } from '../command-context.ts';
import { beginExport, endExport } from './export-folder.ts';

/** A content of a tenant: its token, and whether it is a photo. */
interface ContentName {
  readonly token: string;
  readonly isPhoto: boolean;
}

type Line = Readonly<Record<string, unknown>>;

const texts = (values: readonly unknown[]): string[] => values.filter((value): value is string => typeof value === 'string');

/** Kind → the contents that a record of it names. */
const named: Readonly<Record<string, (line: Line) => readonly ContentName[]>> = {
  'file/files': ({ token }) => texts([token]).map((one) => ({ token: one, isPhoto: false })),
  'forecast/photos': ({ tokens }) => texts(tokens as unknown[]).map((token) => ({ token, isPhoto: true })),
  'warehouse-intake/photos': ({ tokens }) => texts(tokens as unknown[]).map((token) => ({ token, isPhoto: true })),
};

/** What the tokens consist of. Anything else would be no name of a file. */
const TOKEN = /^[A-Za-z0-9_-]{1,64}$/;

/** The contents that the records of a page name. @param kind service and kind, with a slash */
function contentsNamedIn(kind: string, lines: string): readonly ContentName[] {
  const namesOf = named[kind];
  if (namesOf === undefined) return [];
  const records = lines.split('\n').filter((line) => line !== '');
  return records.flatMap((line) => namesOf(JSON.parse(line) as Line)).filter(({ token }) => TOKEN.test(token));
}

/** What an export works with. */
export interface ExportOptions {
  readonly client: AdminClient;
  /** Of the export of the tenant in the API. */
  readonly path: string;
  readonly tenantId: string;
  readonly folder: string;
  /** Of parcelctl. */
  readonly version: string;
  /** ISO 8601. */
  readonly now: () => string;
  /** Says what has been done. */
  readonly say: (line: string) => void;
}

/** What was exported. */
export interface ExportResult {
  readonly folder: string;
  readonly records: number;
  readonly contents: number;
  /** Contents that a record names and that are gone. */
  readonly missing: number;
  readonly bytes: number;
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

/** Copies contents into a folder. A content never changes, so one that is there already is kept: an export that was interrupted goes on. */
class Contents {
  readonly #options: ExportOptions;
  stored = 0;
  missing = 0;

  constructor(options: ExportOptions) {
    this.#options = options;
  }

  async add({ token, isPhoto }: ContentName): Promise<void> {
    const { client, path, folder } = this.#options;
    const name = join(folder, isPhoto ? 'photos' : 'files', token);
    if (Object.values(EXTENSIONS).some((extension) => existsSync(`${name}.${extension}`))) return;
    await mkdir(dirname(name), { recursive: true });
    const type = await client.download(`${path}/contents/${token}`, `${name}.part`);
    if (type === undefined) {
      this.missing += 1;
      return;
    }
    await rename(`${name}.part`, `${name}.${EXTENSIONS[type] ?? 'bin'}`);
    this.stored += 1;
  }
}

/** Writes all records of a kind to a file, page by page, and the contents that they name. @returns how many records */
async function exportKind(options: ExportOptions, contents: Contents, { service, kind }: Data): Promise<number> {
  const { client, path, folder, say } = options;
  const name = `${String(service)}/${String(kind)}`;
  const target = join(folder, `${name}.ndjson`);
  await mkdir(dirname(target), { recursive: true });
  const file = await open(`${target}.part`, 'w');
  let records = 0;
  try {
    for (let after: string | null = null; ; ) {
      const { text, next } = await client.page(`${path}/${name}`, after);
      await file.appendFile(text);
      for (const content of contentsNamedIn(name, text)) await contents.add(content);
      records += text.split('\n').length - 1;
      if (next === null) break;
      after = next;
      say(`${name}: ${records} records`);
    }
  } finally {
    await file.close();
  }
  await rename(`${target}.part`, target);
  say(`${name}: ${records} records, done`);
  return records;
}

/**
 * Copies what the services store about a tenant into a folder, without the archive. The manifest comes last: a folder without one is not complete, and the export
 * may be repeated on it.
 * @throws CliError when the platform refuses or cannot be reached, or the folder has anything else
 */
export async function exportTenant(options: ExportOptions): Promise<ExportResult> {
  const { client, path, tenantId, folder, version, now } = options;
  const listed = await client.call(path);
  const began = await beginExport(folder, tenantId, now());
  const contents = new Contents(options);
  const counts: Record<string, number> = {};
  for (const kind of rowsOf(listed, 'kinds')) {
    counts[`${String(kind['service'])}/${String(kind['kind'])}`] = await exportKind(options, contents, kind);
  }
  const facts = { tenant_id: tenantId, version, began_at: began, ended_at: now(), records: counts, missing_contents: contents.missing };
  const bytes = await endExport(folder, facts);
  const records = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { folder, records, contents: contents.stored, missing: contents.missing, bytes };
}
