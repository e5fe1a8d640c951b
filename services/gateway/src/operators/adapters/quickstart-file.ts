import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { QuickstartKeys } from '@parcelway/contracts/admin-api';
import type { Environment } from '@parcelway/contracts/environment';
import { compileValidator } from '@parcelway/contracts/validator';
import type { Logger } from '@parcelway/kernel/logger';
import { writeFileAtomically } from '@parcelway/platform/installation';
import { readIfThere } from '../../proxy/adapters/certificate.ts';

/*
 * Files in the data directory by which a person, and parcelctl, find the installation. Mode 0600: they hold keys.
 */

const PRIVATE = 0o600;

const keysOfStart = compileValidator(QuickstartKeys);

/** Where the operator's API is and what opens it. */
export interface AdminAccess {
  readonly url: string;
  readonly token: string;
}

/** The parts of quickstart.json. */
export interface Quickstart extends QuickstartKeys {
  readonly base_url: string;
  readonly ca_file: string | null;
  readonly environment: Environment;
  readonly admin: AdminAccess;
}

/** The admin token: the operator's own, or one made at the first start and kept. */
export async function adminToken(directory: string, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  const file = join(directory, 'admin-token');
  const kept = (await readIfThere(file))?.trim();
  if (kept !== undefined && kept.length >= 16) return kept;
  const made = randomBytes(32).toString('base64url');
  writeFileAtomically(file, `${made}\n`, PRIVATE);
  return made;
}

/** Keys that an earlier start wrote down; undefined when there are none or the file was spoilt. */
export async function keptAccess(directory: string, logger: Logger): Promise<QuickstartKeys | undefined> {
  const content = await readIfThere(join(directory, 'quickstart.json'));
  if (content === undefined) return undefined;
  try {
    const { tenant, warehouse } = keysOfStart.parse(JSON.parse(content));
    return { tenant, warehouse };
  } catch (error) {
    logger.warn({ err: error }, 'quickstart.json cannot be used; it is written again with new keys');
    return undefined;
  }
}

/** Writes quickstart.json, or admin.json, its counterpart in production: no key lies around there. */
export function writeAccess(directory: string, access: Quickstart | AdminAccess): void {
  const name = 'admin' in access ? 'quickstart.json' : 'admin.json';
  writeFileAtomically(join(directory, name), `${JSON.stringify(access, null, 2)}\n`, PRIVATE);
}
