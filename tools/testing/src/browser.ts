// The browser of the tests of the merchant's page: the one that CHROMIUM_PATH names, or Debian's. Where there is none and
// the tests run as root on Debian, it is installed.

import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { codeOf } from '@parcelway/tools-servers/caught-error';

const INSTALLED = '/usr/bin/chromium';
/** Milliseconds that the installation may take: some 100 MB from a mirror. */
const INSTALL_DEADLINE_MS = 600_000;

/** True for a file that may be run. */
function runs(path: string) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch (error) {
    if (['ENOENT', 'EACCES'].includes(String(codeOf(error)))) return false;
    throw error;
  }
}

/** Runs a step of the installation and shows what it prints. @throws Error when it fails or takes too long */
function install(...command: string[]) {
  const [file = '', ...args] = command;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, error } = spawnSync(file, args, { stdio: ['ignore', 'ignore', 'inherit'], env, timeout: INSTALL_DEADLINE_MS });
  if (error !== undefined) throw new Error(`${command.join(' ')}: ${error.message}`);
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}`);
}

/**
 * Finds a browser, installing one where that is possible.
 * @returns path of the program
 * @throws Error saying what to do when there is none
 */
export function findBrowser() {
  const named = process.env.CHROMIUM_PATH;
  if (named !== undefined && named !== '') {
    if (!runs(named)) throw new Error(`CHROMIUM_PATH names ${named}, which is no program that may be run`);
    return named;
  }
  if (runs(INSTALLED)) return INSTALLED;
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) {
    throw new Error('There is no Chromium. Install it (on Debian, as root: apt-get install chromium) or name one in CHROMIUM_PATH.');
  }
  console.log('browser: there is none; installing Debian’s chromium (apt-get install chromium)');
  install('apt-get', 'update', '-q');
  install('apt-get', 'install', '-y', '-q', '--no-install-recommends', 'chromium');
  return INSTALLED;
}
