import { createServer } from 'node:net';

/**
 * Ports that are tried. They lie below those that a kernel assigns by itself (from 32768 on Linux, from 49152 elsewhere): one of those may be
 * somebody's connection, or another port of this process, before it is listened on.
 */
const FIRST_PORT = 11_000;
const BLOCKS = 500;
/** Ports of a block: as many as one platform of two replicas takes. */
const BLOCK = 32;
/** Shares no divisor with the number of blocks, so that processes started one after the other begin far from each other. */
const STRIDE = 117;
const MAX_TRIES = 100;

/** Given by this process so far, free or not: none is given twice, though nobody listens on it yet. */
let given = 0;

/** Where a process begins to look. No two of five hundred processes in a row begin in the same block. */
export function firstPortOf(pid: number): number {
  return FIRST_PORT + ((pid * STRIDE) % BLOCKS) * BLOCK;
}

/** True when nobody listens on a port of loopback. */
async function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(port, '127.0.0.1', resolve));
  } catch {
    // Taken, or not for us: that is the response.
    return false;
  }
  await new Promise((closed) => probe.close(closed));
  return true;
}

/**
 * A port of loopback that is free now, and stays so unless somebody asks for it by its number. Programs that look at the same time, and
 * listen a while later, do not get the same ones: each looks in a place of its own.
 * @throws Error when a hundred in a row are taken
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = FIRST_PORT + ((firstPortOf(process.pid) - FIRST_PORT + given) % (BLOCKS * BLOCK));
    given += 1;
    if (await isFree(port)) return port;
  }
  throw new Error(`No free port among ${MAX_TRIES} of loopback between ${FIRST_PORT} and ${FIRST_PORT + BLOCKS * BLOCK - 1}`);
}
