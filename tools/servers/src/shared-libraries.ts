import { messageOf } from './caught-error.ts';
import { runCommand } from './run-command.ts';

const CHECK_DEADLINE_MS = 20_000;
const INSTALL_DEADLINE_MS = 180_000;

/**
 * Sees to it that a program finds its shared libraries: asks for its version, and installs Debian packages when that
 * fails for want of a library.
 * @param command one that prints the version and ends
 * @throws Error which says what to install when we may not
 */
export async function ensureLibraries(command: readonly string[], packages: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const failure = await failureOf(command, env);
  if (failure === undefined) return;
  if (!messageOf(failure).includes('shared librar')) throw failure;
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...packages];
  if (process.getuid?.() !== 0) throw new Error(`${messageOf(failure)}\nA library is missing. Run as root: ${install.join(' ')}`);
  await runCommand(['apt-get', 'update', '-q'], { deadlineMs: INSTALL_DEADLINE_MS });
  await runCommand(install, { deadlineMs: INSTALL_DEADLINE_MS, env: { DEBIAN_FRONTEND: 'noninteractive' } });
  await runCommand(command, { deadlineMs: CHECK_DEADLINE_MS, env });
}

async function failureOf(command: readonly string[], env: Readonly<Record<string, string>>): Promise<unknown> {
  try {
    await runCommand(command, { deadlineMs: CHECK_DEADLINE_MS, env });
    return undefined;
  } catch (error) {
    return error;
  }
}
