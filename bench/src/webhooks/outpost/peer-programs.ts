import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../child.ts';
import { findProgram } from '../../programs.ts';

const MODULE = 'github.com/hookdeck/outpost';
/** The newest release of this line is wanted. */
const WANTED = 'v1.2';
/** The newest that the Go module proxy has where it does not have the wanted one; built from its sources, since `go install` asks for the newest first. */
const FALLBACK = 'v1.1.0';
const NAMES = ['outpost', 'outpost-server'];
/** PostgreSQL as Debian 12 has it. */
const POSTGRES = '/usr/lib/postgresql/15/bin';
const RABBITMQ = '/usr/lib/rabbitmq/bin';
const PACKAGES = ['redis-server', 'postgresql-15', 'rabbitmq-server'];
/** Debian starts what it installs unless this program says no (exit code 101): the peer has servers of its own. */
const START_POLICY = '/usr/sbin/policy-rc.d';

const binaries = join(homedir(), '.cache', 'parcelway', 'peers', 'bin');

/** Says which release was built. */
const versionFile = join(binaries, 'version');

/** Where the peer's programs are. */
export interface PeerPrograms {
  /** Command line of Outpost, for its migrations. */
  readonly outpost: string;
  readonly outpostServer: string;
  readonly redis: string;
  /** Directory of PostgreSQL's programs. */
  readonly postgres: string;
  /** Directory of RabbitMQ's programs. */
  readonly rabbitmq: string;
}

/** Finds them. @throws Error naming what lacks, and how it is had */
export function findPeerPrograms(): PeerPrograms {
  const redis = findProgram('redis-server');
  const missing = [
    ...(redis ? [] : ['redis-server']),
    ...(existsSync(join(POSTGRES, 'initdb')) ? [] : ['PostgreSQL 15']),
    ...(existsSync(join(RABBITMQ, 'rabbitmq-server')) ? [] : ['RabbitMQ']),
    ...NAMES.filter((name) => !existsSync(join(binaries, name))),
  ];
  if (redis === undefined || missing.length > 0) throw new Error(`${missing.join(', ')} not installed; --install installs what can be had`);
  const ofOutpost = (name: string): string => join(binaries, name);
  return {
    outpost: ofOutpost('outpost'),
    outpostServer: ofOutpost('outpost-server'),
    redis,
    postgres: POSTGRES,
    rabbitmq: RABBITMQ,
  };
}

/** Builds a release from the sources that the module proxy has of it. */
async function buildRelease(release: string, progress: (text: string) => void): Promise<void> {
  progress(`go build ${MODULE}@${release}, some minutes the first time`);
  const { Dir } = JSON.parse(await runProgram('timeout', ['300', 'go', 'mod', 'download', '-json', `${MODULE}@${release}`])) as {
    Dir: string;
  };
  await runProgram('timeout', ['1200', 'go', '-C', Dir, 'build', '-o', `${binaries}/`, ...NAMES.map((name) => `./cmd/${name}`)]);
}

/** Installs Outpost: the wanted release, or the newest that can be had. @throws Error with the reason */
async function installOutpost(progress: (text: string) => void): Promise<void> {
  if (findProgram('go') === undefined) throw new Error('go is not installed, and Outpost is built with it');
  mkdirSync(binaries, { recursive: true });
  try {
    progress(`go install ${MODULE}/cmd/...@${WANTED}`);
    await runProgram('env', [`GOBIN=${binaries}`, 'timeout', '1200', 'go', 'install', `${MODULE}/cmd/...@${WANTED}`]);
    const printed = await runProgram('go', ['version', '-m', join(binaries, 'outpost-server')]);
    writeFileSync(versionFile, /^\s*mod\s+\S+\s+(\S+)/m.exec(printed)?.[1] ?? WANTED);
  } catch (error) {
    progress(`${WANTED} cannot be had (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`);
    await buildRelease(FALLBACK, progress);
    writeFileSync(versionFile, FALLBACK);
  }
}

/** Installs what lacks: the servers from Debian's archive (as root), Outpost with Go. Idempotent. @throws Error with what could not be had */
export async function installPeerPrograms(progress: (text: string) => void): Promise<void> {
  if (![...NAMES, 'version'].every((name) => existsSync(join(binaries, name)))) await installOutpost(progress);
  const there = findProgram('redis-server') && existsSync(join(POSTGRES, 'initdb')) && existsSync(join(RABBITMQ, 'rabbitmq-server'));
  if (there) return;
  progress(`apt-get install ${PACKAGES.join(' ')}`);
  const hasPolicy = existsSync(START_POLICY);
  if (!hasPolicy) writeFileSync(START_POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    await runProgram('timeout', ['300', 'apt-get', 'update']);
    const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...PACKAGES];
    await runProgram('env', ['DEBIAN_FRONTEND=noninteractive', 'timeout', '600', ...install]);
  } finally {
    if (!hasPolicy) rmSync(START_POLICY, { force: true });
  }
}

/** The exact release of Outpost that is installed, such as `v1.2.3`. */
export function outpostVersion(): string {
  return readFileSync(versionFile, 'utf8').trim();
}
