import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './caught-error.ts';
import { digestOf } from './places.ts';
import { say } from './progress.ts';

/** Between two attempts to get a lock. */
const PAUSE_MS = 200;

/**
 * Does work while no other process of this machine does work on the same path. The lock is an abstract socket: the
 * kernel hands it to one process and takes it back when that process ends, however it ends. No stale lock can remain.
 * @param deadlineMs how long to wait for the other
 * @returns rejects when the other does not finish in time
 */
export async function withLock<T>(path: string, deadlineMs: number, work: () => Promise<T>): Promise<T> {
  const server = await acquire(path, deadlineMs);
  try {
    return await work();
  } finally {
    server.close();
  }
}

async function acquire(path: string, deadlineMs: number) {
  const end = performance.now() + deadlineMs;
  let isAnnounced = false;
  for (;;) {
    const server = createServer((socket) => socket.destroy());
    server.listen(`\0parcelway-servers-${digestOf(path)}`);
    try {
      await once(server, 'listening');
      return server;
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw error;
    }
    if (performance.now() > end) throw new Error(`another run still works on ${path} after ${deadlineMs / 1000} s; wait for it to end`);
    if (!isAnnounced) say(`another run works on ${path}; waiting for it`);
    isAnnounced = true;
    await sleep(PAUSE_MS);
  }
}
