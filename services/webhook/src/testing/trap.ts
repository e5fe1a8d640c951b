import { createServer } from 'node:net';
import { afterAll, beforeAll } from '@jest/globals';

/** A server on every address of this machine for the tests of a file. Tests check that nothing connects to it. */
export function useTrap(): { port: number; connections: number } {
  const trap = { port: 0, connections: 0 };
  const server = createServer((socket) => {
    trap.connections += 1;
    socket.destroy();
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '::', resolve));
    trap.port = (server.address() as { port: number }).port;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  return trap;
}
