import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { messageOf } from './caught-error.ts';
import { runCommand } from './run-command.ts';

const FETCH_DEADLINE_MS = 180_000;

/** Path of a program in the folder that its Debian package was unpacked into. */
export const debianProgram = (folder: string, name: string) => join(folder, 'usr', 'bin', name);

/**
 * Unpacks Debian packages without installing them, so that no root is needed and no service starts. apt checks their signatures.
 * Without apt, links the program that is on the path.
 * @param least oldest version that works
 * @throws Error that says what to install
 */
export async function unpackDebian(folder: string, packages: readonly string[], program: string, least: string) {
  try {
    await unpack(folder, packages);
  } catch (error) {
    const installed = (process.env.PATH ?? '').split(delimiter).find((entry) => existsSync(join(entry, program)));
    if (installed === undefined) {
      const todo = `Cannot download Debian's ${program}. Put ${program} (${least} or newer) on the path, then run this again.`;
      throw new Error(`${messageOf(error)}\n${todo}`);
    }
    mkdirSync(join(folder, 'usr', 'bin'), { recursive: true });
    symlinkSync(join(installed, program), debianProgram(folder, program));
  }
}

async function unpack(folder: string, packages: readonly string[]) {
  // Package lists of our own: the machine's may be missing, or name packages that the mirror no longer has.
  const state = join(folder, 'apt');
  for (const name of ['lists', 'archives']) mkdirSync(join(state, name, 'partial'), { recursive: true });
  const own = ['-q', '-o', `Dir::State::lists=${state}/lists`, '-o', `Dir::Cache=${state}`, '-o', 'APT::Sandbox::User='];
  const limits = { deadlineMs: FETCH_DEADLINE_MS, cwd: state };
  await runCommand(['apt-get', 'update', ...own], limits);
  await runCommand(['apt-get', 'download', ...own, ...packages], limits);
  await runCommand(['sh', '-c', 'for package in *.deb; do dpkg-deb -x "$package" .. || exit 1; done'], limits);
  rmSync(state, { recursive: true });
}
