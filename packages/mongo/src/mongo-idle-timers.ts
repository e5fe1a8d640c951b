import { createRequire } from 'node:module';

/** The part of the driver's connection pool that is patched. */
interface ConnectionPool {
  minPoolSizeTimer: NodeJS.Timeout | undefined;
  ensureMinPoolSize(): void;
}

/** So often a pool looks for connections that have ended or that it lacks, milliseconds. */
const POOL_CHECK_MS = 1000;

let patched = false;

/**
 * Stops the driver of MongoDB from waking up without need: each of its pools looks at its connections ten times a second, and no option says otherwise.
 * A request looks at its own connection anyway.
 *
 * Safe to call more than once.
 * Written for the driver 7.8. @throws Error when its pools have no such method any more
 */
export function patchIdleTimers(): void {
  if (patched) return;
  // That of mongoose, wherever it is installed.
  const ofMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
  const { ConnectionPool } = ofMongoose('mongodb/lib/cmap/connection_pool.js') as { ConnectionPool: { prototype: ConnectionPool } };
  const { prototype } = ConnectionPool;
  const original = prototype.ensureMinPoolSize;
  if (typeof original !== 'function') throw new Error('This version of the MongoDB driver has no connection pool that could be patched');
  prototype.ensureMinPoolSize = function (this: ConnectionPool): void {
    const before = this.minPoolSizeTimer;
    original.call(this);
    // A pool that is paused or closed plans none.
    if (this.minPoolSizeTimer === before) return;
    clearTimeout(this.minPoolSizeTimer);
    this.minPoolSizeTimer = setTimeout(() => this.ensureMinPoolSize(), POOL_CHECK_MS);
  };
  patched = true;
}
