import { Parcelway, ParcelwayConnectionError, ParcelwayError } from '@parcelway/sdk';
import { CliError, exitCodes, usageError } from './cli-error.ts';
import type { Environ } from './find-installation.ts';
import { type AccessOptions, findTenantAccess } from './listen/find-tenant-access.ts';

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
