import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from '../../child.ts';
import { findProgram } from '../../programs.ts';

/** Where the peer's programs are. */
export interface PeerPrograms {
  /** Command line of Outpost, for its migrations. */
  readonly outpost: string;
  readonly outpostServer: string;
  readonly redis: string;
  /** Directory of PostgreSQL's programs, as Debian 12 has it. */
  readonly postgres: string;
  /** Directory of RabbitMQ's programs. */
  readonly rabbitmq: string;
}

/** Finds them. @throws Error naming what is not installed */
export function findPeerPrograms(): PeerPrograms {
  const [outpost, outpostServer, redis] = ['outpost', 'outpost-server', 'redis-server'].map(findProgram);
  const [postgres, rabbitmq] = ['/usr/lib/postgresql/15/bin', '/usr/lib/rabbitmq/bin'];
  const hasServers = existsSync(join(postgres, 'initdb')) && existsSync(join(rabbitmq, 'rabbitmq-server'));
  if (outpost === undefined || outpostServer === undefined || redis === undefined || !hasServers)
    throw new Error('Outpost, Redis, PostgreSQL 15 and RabbitMQ are not all installed; docs/performance.md says how to install them');
  return { outpost, outpostServer, redis, postgres, rabbitmq };
}

/** The release of Outpost that is installed, such as `v1.2.3`, as Go has noted it in the program. */
export async function outpostVersion({ outpostServer }: PeerPrograms): Promise<string> {
  const printed = await runProgram('go', ['version', '-m', outpostServer]);
  return /^\s*mod\s+\S+\s+(\S+)/m.exec(printed)?.[1] ?? 'of an unknown version';
}
