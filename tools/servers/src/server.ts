import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from './artifact.ts';
import { writeWhole } from './places.ts';
import type { ProcessFacts } from './process-table.ts';
import { lookUp } from './process-table.ts';
import { waitUntil } from './wait-until.ts';

/** How a server is started. */
export interface Preparation {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A server of a set. */
export interface Server {
  /** Also the name of its folder in the run directory. */
  readonly name: string;
  readonly artifact: Artifact;
  /** All ports that it listens on. */
  readonly ports: readonly number[];
  /** Time to start on a slow, busy machine, in milliseconds. */
  readonly startDeadlineMs: number;
  /** Writes its configuration. */
  readonly prepare: (places: { readonly program: string; readonly directory: string }) => Promise<Preparation>;
  /** Throws while it does not respond; takes a few seconds at most. */
  readonly check: () => Promise<void>;
  /** Throws while it responds, but does not serve in its set yet. */
  readonly settled?: () => Promise<void>;
}

/** What distinguishes a server from the others of its set. */
type Named = Pick<Server, 'name'>;

/** A server that does not end by itself in this time is killed. */
const STOP_DEADLINE_MS = 30_000;
const SIGNAL_DEADLINE_MS = 10_000;

/** The folder of a server: its configuration, data and log. */
export function directoryOf(run: string, { name }: Named) {
  return join(run, name);
}

const recordOf = (run: string, server: Named) => join(directoryOf(run, server), 'process.json');

/** Remembers the process of a server for later runs. */
export function record(run: string, server: Named, { pid, startTicks }: ProcessFacts) {
  writeWhole(recordOf(run, server), JSON.stringify({ pid, startTicks }));
}

/** The running process of a server, by its record. The pid alone is not believed: pids are used again. */
export function processOf(run: string, server: Named): ProcessFacts | undefined {
  const file = recordOf(run, server);
  if (!existsSync(file)) return undefined;
  const { pid, startTicks } = JSON.parse(readFileSync(file, 'utf8')) as Pick<ProcessFacts, 'pid' | 'startTicks'>;
  const facts = lookUp(pid);
  return facts?.startTicks === startTicks ? facts : undefined;
}

/**
 * Ends a server with a signal and waits until its process is gone. One that does not heed SIGTERM is killed.
 * @returns false when it did not run
 */
export async function end(run: string, server: Named, signal: 'SIGTERM' | 'SIGKILL'): Promise<boolean> {
  const running = processOf(run, server);
  if (running === undefined) return false;
  process.kill(running.pid, signal);
  // One that is paused takes SIGTERM only when it goes on.
  if (running.paused && signal === 'SIGTERM') process.kill(running.pid, 'SIGCONT');
  try {
    await waitUntil(
      () => {
        if (processOf(run, server) !== undefined) throw new Error(`process ${running.pid} of ${server.name} still runs`);
      },
      { deadlineMs: signal === 'SIGTERM' ? STOP_DEADLINE_MS : SIGNAL_DEADLINE_MS },
    );
  } catch (error) {
    if (signal === 'SIGKILL') throw error;
    return end(run, server, 'SIGKILL');
  }
  rmSync(recordOf(run, server), { force: true });
  return true;
}

/**
 * Holds a server as it is, or lets it go on.
 * @throws Error when it does not run
 */
export async function hold(run: string, server: Named, signal: 'SIGSTOP' | 'SIGCONT') {
  const running = processOf(run, server);
  if (running === undefined) throw new Error(`${server.name} does not run`);
  process.kill(running.pid, signal);
  await waitUntil(
    () => {
      if (processOf(run, server)?.paused !== (signal === 'SIGSTOP')) throw new Error(`${server.name} has not taken ${signal}`);
    },
    { deadlineMs: SIGNAL_DEADLINE_MS },
  );
}
