import { join } from 'node:path';
import { fromRoot } from './installation.ts';
import { Program, type ProgramRun } from './program.ts';

const PARCELCTL = 'dist/parcelctl.js';

/**
 * Runs `parcelctl` as an operator does.
 * @param env in addition to PATH: DATA_DIR, or PARCEL_ADMIN_URL and PARCEL_ADMIN_TOKEN, or all of a distributed installation
 * @param withinMs it is ended when it takes longer
 * @param version directory of the version whose command it is, built
 */
export function runParcelctl(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  withinMs = 20_000,
  version = fromRoot('.'),
): Promise<ProgramRun> {
  return Program.run(process.execPath, [join(version, PARCELCTL), ...args], { env, withinMs });
}

/** What a run printed, with the parameters of {@link runParcelctl}. @throws Error when the run failed */
export async function parcelctlOutput(...[args, ...options]: Parameters<typeof runParcelctl>): Promise<string> {
  const { status, stdout, stderr } = await runParcelctl(args, ...options);
  if (status !== 0) throw new Error(`parcelctl ${args.join(' ')} ended with ${status}: ${stderr}${stdout}`);
  return stdout;
}

/** The JSON that a run with `--json` printed. @throws Error when the run failed */
export async function parcelctlJson<T = Record<string, unknown>>(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<T> {
  return JSON.parse(await parcelctlOutput([...args, '--json'], env)) as T;
}
