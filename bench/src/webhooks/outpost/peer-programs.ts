import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../child.ts';
import { findProgram } from '../../programs.ts';

const MODULE = 'github.com/hookdeck/outpost';
/** Release of Outpost. */
export const RELEASE = 'v1.1.0';
const NAMES = ['outpost', 'outpost-server'];
/** PostgreSQL as Debian 12 has it. */
const POSTGRES = '/usr/lib/postgresql/15/bin';
const RABBITMQ = '/usr/lib/rabbitmq/bin';
const PACKAGES = ['redis-server', 'postgresql-15', 'rabbitmq-server'];
/** Debian starts what it installs unless this program says no (exit code 101): the peer has servers of its own. */
const START_POLICY = '/usr/sbin/policy-rc.d';

const binaries = join(homedir(), '.cache', 'parcelway', 'peers', 'bin');

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

/** Builds Outpost from the sources that the module proxy has. @throws Error with the reason */
async function installOutpost(progress: (text: string) => void): Promise<void> {
  if (findProgram('go') === undefined) throw new Error('go is not installed, and Outpost is built with it');
  mkdirSync(binaries, { recursive: true });
  progress(`go build ${MODULE}@${RELEASE}, some minutes the first time`);
  const { Dir } = JSON.parse(await runProgram('timeout', ['300', 'go', 'mod', 'download', '-json', `${MODULE}@${RELEASE}`])) as {
    Dir: string;
  };
  await runProgram('timeout', ['1200', 'go', '-C', Dir, 'build', '-o', `${binaries}/`, ...NAMES.map((name) => `./cmd/${name}`)]);
}

/** Installs what lacks: the servers from Debian's archive (as root), Outpost with Go. Idempotent. @throws Error with what could not be had */
export async function installPeerPrograms(progress: (text: string) => void): Promise<void> {
  if (!NAMES.every((name) => existsSync(join(binaries, name)))) await installOutpost(progress);
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
