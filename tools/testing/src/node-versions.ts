import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { delimiter } from 'node:path';
import { root } from './jest-run.ts';

/** The Node.js that images and workflows use: the current long-term support release that every dependency supports. */
export const RUNTIME = '24.21.0';
/** The oldest Node.js that `engines` in package.json allows. */
export const OLDEST = '20.19.0';

/** Time for one download of some 50 MB. */
const INSTALL_DEADLINE_MS = 300_000;

/**
 * Installs a version of Node.js from the npm registry into `.cache/`, unless it is there already. The package for one platform is the
 * program alone, without an install script.
 * @param version such as 24.21.0
 * @returns the folder of the program, to be put in front of PATH
 * @throws Error when the registry has no such version for this platform
 */
export function installNode(version: string): string {
  const folder = `${root}.cache/node-${version}`;
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const bin = `${folder}/node_modules/${name}/bin`;
  if (existsSync(`${bin}/node`)) return bin;
  mkdirSync(folder, { recursive: true });
  const args = ['install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`];
  const { status, error } = spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: INSTALL_DEADLINE_MS });
  if (error !== undefined) throw new Error(`npm ${args.join(' ')}: ${error.message}`);
  if (status !== 0) throw new Error(`npm ${args.join(' ')} ended with ${status}`);
  return bin;
}

/** The environment in which programs run on the Node.js of the images; empty when this process does. */
export function onRuntime(): Readonly<Record<string, string>> {
  return process.versions.node.split('.')[0] === RUNTIME.split('.')[0] ? {} : onNode(installNode(RUNTIME));
}

/** The environment in which programs run on that Node.js. @param bin what {@link installNode} returned */
export const onNode = (bin: string) => ({ PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` });
