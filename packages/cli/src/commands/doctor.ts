import type { Check, Finding, Status } from '@parcelway/platform/doctor/check';
import type { Command } from 'commander';
import { exitCodes } from '../cli-error.ts';
import type { CommandContext, Io } from '../command-context.ts';
import { checkAdmin, tokenOf } from '../doctor/check-admin.ts';
import type { Environ } from '../find-installation.ts';
import { cellText } from '../table.ts';

const WIDTH = 7;

/** Findings as lines: status, check, message, and what to do next. */
function renderFindings(findings: readonly Finding[]): string {
  return findings
    .map(
      ({ check, status, message, next }) =>
        `${status.padEnd(WIDTH)}  ${cellText(check)}: ${cellText(message)}.${next === undefined ? '' : ` → ${cellText(next)}`}\n`,
    )
    .join('');
}

/** How many findings of each status there are. */
function countStatuses(findings: readonly Finding[]): Readonly<Record<Status, number>> {
  const counts = { ok: 0, warning: 0, wrong: 0 };
  for (const { status } of findings) counts[status] += 1;
  return counts;
}

/** The last line: whether anything is wrong. */
function renderSummary(findings: readonly Finding[], seconds: number): string {
  const { ok, warning, wrong } = countStatuses(findings);
  const verdict = wrong > 0 ? `${wrong} wrong` : 'Nothing is wrong';
  return `\n${verdict}; ${warning} warning${warning === 1 ? '' : 's'}, ${ok} ok (${seconds.toFixed(1)} s)\n`;
}

/** Every distributed installation sets at least one of these variables. */
const DISTRIBUTED = ['MONGODB_URL', 'MONGODB_URL_FILE', 'KAFKA_BROKERS'];

/** The mode of the installation that the environment describes. */
export function modeOf(env: Environ): 'embedded' | 'distributed' {
  return DISTRIBUTED.some((name) => env[name]) ? 'distributed' : 'embedded';
}

/** The environment with secrets from files. A file that cannot be read becomes a finding. */
async function readEnvironment({ env }: Io): Promise<{ readonly env: Environ; readonly findings: readonly Finding[] }> {
  const [{ withSecretFiles }, { ConfigError }] = await Promise.all([
    import('@parcelway/platform/secret-files'),
    import('@parcelway/platform/config'),
  ]);
  try {
    return { env: withSecretFiles(env), findings: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const next = 'Mount the file so that this user can read it, or set the variable itself.';
    return { env, findings: error.problems.map((message) => ({ check: 'secret files', status: 'wrong', message, next })) };
  }
}

/** The checks of the mode that the environment describes, what was found before them, and the environment with all secrets. */
async function plan(io: Io): Promise<{ readonly env: Environ; readonly findings: readonly Finding[]; readonly checks: readonly Check[] }> {
  const { env, findings } = await readEnvironment(io);
  if (modeOf(env) === 'embedded') {
    const { embeddedChecks } = await import('@parcelway/platform/doctor/embedded-checks');
    return { env, findings, checks: [...embeddedChecks(env, await io.stores?.()), checkAdmin(env, 'wrong')] };
  }
  const [{ withKeptSecrets }, { distributedChecks }] = await Promise.all([
    import('@parcelway/platform/doctor/kept-secrets'),
    import('@parcelway/platform/doctor/distributed-checks'),
  ]);
  const kept = withKeptSecrets(env);
  const checks = [...distributedChecks(kept.env, await io.stores?.()), checkAdmin(kept.env, 'warning')];
  return { env: kept.env, findings: [...findings, ...kept.findings], checks };
}

async function examine(io: Io, show: (findings: readonly Finding[]) => void): Promise<readonly Finding[]> {
  const { env, findings, checks } = await plan(io);
  show(findings);
  const [{ runChecks }, { createRedaction }] = await Promise.all([
    import('@parcelway/platform/doctor/check'),
    import('@parcelway/platform/doctor/redact'),
  ]);
  return [...findings, ...(await runChecks(checks, createRedaction(env, [tokenOf(env) ?? '']), show))];
}

/** Adds `doctor`. */
export function addDoctorCommand(program: Command, { io, perform }: CommandContext): void {
  program
    .command('doctor')
    .description('Check everything that the installation depends on; exit code 1 if a check fails')
    .addHelpText(
      'after',
      `
Checks the installation that the environment describes. With MONGODB_URL or KAFKA_BROKERS: the servers and services of a
distributed installation (run it with the variables of the services, for example in one of their pods). Otherwise: the data
directory DATA_DIR (./.data). Works even if servers are down. Writes a probe to MongoDB, the object store or the data directory
and deletes it again; changes nothing else. Shows no secrets.`,
    )
    .action(
      perform<{ json?: boolean }>(async ({ json = false }) => {
        const startedAt = performance.now();
        const findings = await examine(io, (found) => {
          if (!json) io.out(renderFindings(found));
        });
        const counts = countStatuses(findings);
        const seconds = (performance.now() - startedAt) / 1000;
        io.out(json ? `${JSON.stringify({ mode: modeOf(io.env), ...counts, findings })}\n` : renderSummary(findings, seconds));
        return counts.wrong === 0 ? exitCodes.ok : exitCodes.refused;
      }),
    );
}
