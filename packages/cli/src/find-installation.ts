import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseUrl } from '@parcelway/kernel/parse-url';
import { CliError, exitCodes } from './cli-error.ts';

/** Address and token of the admin API. */
export interface AdminAccess {
  /** Without a slash at the end. */
  readonly url: string;
  readonly token: string;
}

/** The environment variables of a run. */
export type Environ = Readonly<Record<string, string | undefined>>;

/** Names of variables and files by which the installation is found; for messages and help. */
export const HOW_TO_FIND =
  'Start the platform with npm start in this directory, or set DATA_DIR to the data directory of a running platform, or set PARCEL_ADMIN_URL and PARCEL_ADMIN_TOKEN.';

function notFound(message: string): CliError {
  return new CliError(exitCodes.unreachable, message, HOW_TO_FIND);
}

/**
 * The object in a file that the platform writes; undefined when there is no such file.
 * @throws CliError exit code 3
 */
export function readIfThere(file: string, hint = HOW_TO_FIND): Readonly<Record<string, unknown>> | undefined {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CliError(
      exitCodes.unreachable,
      `Cannot read ${file} (${code}): run parcelctl as the user that runs the platform`,
      hint,
      error,
    );
  }
  try {
    return Object(JSON.parse(content)) as Record<string, unknown>;
  } catch (error) {
    throw new CliError(exitCodes.unreachable, `${file} is not JSON. The platform writes it again at its next start`, hint, error);
  }
}

function asAccess(value: unknown, where: string): AdminAccess {
  const { url, token } = (value ?? {}) as Partial<Record<keyof AdminAccess, unknown>>;
  if (typeof url !== 'string' || !/^https?:$/.test(parseUrl(url)?.protocol ?? '')) {
    throw notFound(`${where} does not contain the http:// or https:// address of the admin API`);
  }
  // Header values are visible ASCII. The token is never shown.
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) throw notFound(`${where} does not contain a usable admin token`);
  return { url: url.replace(/\/+$/, ''), token };
}

/**
 * Finds the installation to talk to: PARCEL_ADMIN_URL with PARCEL_ADMIN_TOKEN; else, in DATA_DIR (`./.data`),
 * quickstart.json; else admin.json, which production installations have.
 * @throws CliError exit code 3
 */
export function findInstallation(env: Environ): AdminAccess {
  const { PARCEL_ADMIN_URL: url, PARCEL_ADMIN_TOKEN: token } = env;
  if (url && token) return asAccess({ url, token }, 'PARCEL_ADMIN_URL with PARCEL_ADMIN_TOKEN');
  if (url || token) throw notFound(`${url ? 'PARCEL_ADMIN_TOKEN' : 'PARCEL_ADMIN_URL'} is missing: set both variables`);
  const directory = resolve(env['DATA_DIR'] || './.data');
  const quickstart = readIfThere(join(directory, 'quickstart.json'));
  if (quickstart !== undefined) {
    const { admin } = quickstart;
    // A restored installation before its first start.
    if (admin === undefined) throw notFound(`The platform has not been started on ${directory} yet: its quickstart.json has no address`);
    return asAccess(admin, `${directory}/quickstart.json`);
  }
  const admin = readIfThere(join(directory, 'admin.json'));
  if (admin !== undefined) return asAccess(admin, `${directory}/admin.json`);
  throw notFound(`No Parcelway installation in ${directory}: there is neither quickstart.json nor admin.json`);
}
