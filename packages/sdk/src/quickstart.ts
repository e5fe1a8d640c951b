import { readFileSync } from 'node:fs';
import type { ParcelwayOptions } from './options.ts';

/** Where a sandbox that was started in this folder writes its address, its demo keys and its certificate. */
export const DEFAULT_QUICKSTART = '.data/quickstart.json';

/** A file. @throws Error that names it, and what to do */
function read(file: string, todo: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Error(`Cannot read ${file} (${(cause as NodeJS.ErrnoException).code}): ${todo}`, { cause });
  }
}

function contentOf(text: string): { base_url?: unknown; ca_file?: unknown; tenant?: { api_key?: unknown } | null } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/**
 * Address, key and certificate of a sandbox on this machine, for its demo tenant.
 * @param file quickstart.json in the data directory of the sandbox
 * @throws Error that names the file when there is none, or when it is something else
 */
export function readQuickstart(file: string): Pick<ParcelwayOptions, 'apiKey' | 'baseUrl' | 'ca'> {
  const content = contentOf(read(file, 'start the sandbox, or give the path of quickstart.json in its data directory'));
  const { base_url: baseUrl, ca_file: caFile, tenant } = content;
  if (typeof baseUrl !== 'string' || typeof tenant?.api_key !== 'string')
    throw new Error(`${file} is no quickstart.json of a sandbox: it lacks base_url or tenant.api_key`);
  const ca = typeof caFile === 'string' ? { ca: read(caFile, `${file} names it as ca_file`) } : {};
  return { apiKey: tenant.api_key, baseUrl, ...ca };
}
