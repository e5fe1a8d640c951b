import { existsSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CliError, exitCodes } from '../cli-error.ts';

/** Written last: a folder without it is not complete. */
export const MANIFEST = 'manifest.json';
/** Says whose export is under way; there until the manifest is. */
export const MARKER = 'export.json';

const HINT = 'Name a new folder.';

interface Marker {
  readonly tenant_id: string;
  readonly began_at: string;
}

async function markerIn(folder: string): Promise<Marker | undefined> {
  const path = join(folder, MARKER);
  if (!existsSync(path)) return undefined;
  try {
    const { tenant_id, began_at } = JSON.parse(await readFile(path, 'utf8')) as Partial<Marker>;
    return typeof tenant_id === 'string' && typeof began_at === 'string' ? { tenant_id, began_at } : undefined;
  } catch {
    // Not a file of an export: the folder is refused as any other that is not empty.
    return undefined;
  }
}

/** Makes the folder, and says in it whose export it is, durably. */
async function begin(folder: string, marker: Marker): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const part = join(folder, `${MARKER}.part`);
  const file = await open(part, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(marker)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(part, join(folder, MARKER));
}

/** Removes what an interrupted export has left half. */
async function removeParts(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  await Promise.all(names.filter((name) => name.endsWith('.part')).map((name) => rm(join(folder, name))));
}

/**
 * Begins an export in a new or empty folder, or goes on with one of the same tenant that was interrupted. So a folder never has data of two tenants, or of
 * an export that was complete before.
 * @param now ISO 8601
 * @returns when the export has begun, ISO 8601
 * @throws CliError when the folder has anything else; nothing in it has changed then
 */
export async function beginExport(folder: string, tenantId: string, now: string): Promise<string> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  if (names.every((name) => name === `${MARKER}.part`)) {
    await begin(folder, { tenant_id: tenantId, began_at: now });
    return now;
  }
  if (names.includes(MANIFEST)) throw new CliError(exitCodes.usage, `${folder} has a complete export already`, HINT);
  const marker = await markerIn(folder);
  if (marker === undefined) throw new CliError(exitCodes.usage, `${folder} is not empty, and has no export to go on with`, HINT);
  if (marker.tenant_id !== tenantId) throw new CliError(exitCodes.usage, `${folder} has an export of ${marker.tenant_id}`, HINT);
  await removeParts(folder);
  return marker.began_at;
}

/** Ends an export whose manifest is written. */
export function endExport(folder: string): Promise<void> {
  return rm(join(folder, MARKER), { force: true });
}
