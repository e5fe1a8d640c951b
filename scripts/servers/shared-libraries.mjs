import { runCommand } from './run-command.mjs';

const CHECK_DEADLINE_MS = 20_000;
const INSTALL_DEADLINE_MS = 180_000;

/**
 * Sees to it that a program finds its shared libraries: asks for its version, and installs Debian packages when that
 * fails for want of a library.
 * @param {string[]} command one that prints the version and ends
 * @param {string[]} packages
 * @param {Record<string, string>} [env]
 * @throws {Error} which says what to install when we may not
 */
export async function ensureLibraries(command, packages, env = {}) {
  const failure = await failureOf(command, env);
  if (failure === undefined) return;
  if (!failure.message.includes('shared librar')) throw failure;
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...packages];
  if (process.getuid() !== 0) throw new Error(`${failure.message}\nA library is missing. Run as root: ${install.join(' ')}`);
  await runCommand(['apt-get', 'update', '-q'], { deadlineMs: INSTALL_DEADLINE_MS });
  await runCommand(install, { deadlineMs: INSTALL_DEADLINE_MS, env: { DEBIAN_FRONTEND: 'noninteractive' } });
  await runCommand(command, { deadlineMs: CHECK_DEADLINE_MS, env });
}

async function failureOf(command, env) {
  try {
    await runCommand(command, { deadlineMs: CHECK_DEADLINE_MS, env });
    return undefined;
  } catch (error) {
    return error;
  }
}
