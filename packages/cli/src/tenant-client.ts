import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseUrl } from '@parcelway/kernel/parse-url';
import { Parcelway, ParcelwayConnectionError, ParcelwayError } from '@parcelway/sdk';
import type { Command } from 'commander';
import { CliError, exitCodes, usageError } from './cli-error.ts';
import { type Environ, readIfThere } from './find-installation.ts';

/** Address of the public API and the key of a tenant. */
interface TenantAccess {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Certificates to trust beside the usual ones, in PEM. */
  readonly ca?: string;
}

/** The options of the command line. */
export interface AccessOptions {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  readonly caFile?: string;
}

const HOW_TO_FIND =
  'Start the platform with npm start in this directory, or set DATA_DIR to the data directory of a running platform, or use --base-url and --api-key (PARCELWAY_BASE_URL, PARCELWAY_API_KEY).';

interface Quickstart {
  readonly base_url?: unknown;
  readonly ca_file?: unknown;
  readonly tenant?: { readonly api_key?: unknown };
}

const asText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

function readCa(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(exitCodes.usage, `Cannot read the certificates in ${file} (${code})`, 'Check --ca-file or PARCELWAY_CA_FILE', error);
  }
}

/**
 * Finds the public API and a tenant's key: on the command line; else in the environment; else in quickstart.json in DATA_DIR
 * (`./.data`), which a sandbox writes at its start.
 * @throws CliError exit code 3 when something is missing, 2 when the certificates cannot be read
 */
function findTenantAccess(options: AccessOptions, env: Environ): TenantAccess {
  const directory = resolve(env['DATA_DIR'] || './.data');
  const quickstart: Quickstart = readIfThere(join(directory, 'quickstart.json'), HOW_TO_FIND) ?? {};
  const ownBaseUrl = asText(quickstart.base_url);
  const baseUrl = options.baseUrl ?? asText(env['PARCELWAY_BASE_URL']) ?? ownBaseUrl;
  if (baseUrl === undefined) {
    throw new CliError(exitCodes.unreachable, `No sandbox in ${directory}: there is no quickstart.json with its address`, HOW_TO_FIND);
  }
  // The key of one installation must not be sent to another.
  const isOwn = ownBaseUrl !== undefined && new URL(ownBaseUrl).origin === parseUrl(baseUrl)?.origin;
  const apiKey = options.apiKey ?? asText(env['PARCELWAY_API_KEY']) ?? (isOwn ? asText(quickstart.tenant?.api_key) : undefined);
  if (apiKey === undefined) {
    throw new CliError(
      exitCodes.unreachable,
      `No API key for ${baseUrl}`,
      'Use --api-key or PARCELWAY_API_KEY with a key of the sandbox (pf_test_…)',
    );
  }
  const caFile = options.caFile ?? asText(env['PARCELWAY_CA_FILE']) ?? (isOwn ? asText(quickstart.ca_file) : undefined);
  return { baseUrl, apiKey, ...(caFile === undefined ? {} : { ca: readCa(caFile) }) };
}

/** Adds the options of {@link AccessOptions}. @param help of the command */
export function withTenantAccess(command: Command, help: string): Command {
  return command
    .option('--api-key <key>', 'key of the tenant; default PARCELWAY_API_KEY')
    .option('--base-url <url>', 'address of the platform; default PARCELWAY_BASE_URL')
    .option('--ca-file <file>', 'additional certificates to trust, in PEM; default PARCELWAY_CA_FILE')
    .addHelpText(
      'after',
      `${help}
How it finds the platform and the key:
  the options --base-url and --api-key; else PARCELWAY_BASE_URL and PARCELWAY_API_KEY; else quickstart.json in DATA_DIR (default ./.data).`,
    );
}

/** Replaces the option names of the SDK by those of the command line. */
export const inOptions = (message: string): string => message.replaceAll('baseUrl', '--base-url').replaceAll('`ca`', '--ca-file');

/**
 * A client with the key of a tenant; close it.
 * @throws CliError when address or key are missing or wrong
 */
export function openTenantClient(options: AccessOptions, env: Environ): Parcelway {
  const access = findTenantAccess(options, env);
  try {
    return new Parcelway(access);
  } catch (error) {
    throw usageError(inOptions((error as Error).message));
  }
}

/**
 * A failure of the SDK as one of the command; anything else as it is.
 * @param hints code of a refusal → what to do next
 */
export function asCliError(error: unknown, hints: Readonly<Record<string, string>>): unknown {
  if (error instanceof ParcelwayConnectionError) {
    return new CliError(
      exitCodes.unreachable,
      inOptions(error.message),
      'Check that the platform is running, and check --base-url and --ca-file.',
      error,
    );
  }
  if (!(error instanceof ParcelwayError)) return error;
  return new CliError(error.isPassing ? exitCodes.unreachable : exitCodes.refused, inOptions(error.message), hints[error.code], error);
}
