import { connect } from 'node:net';

const DEADLINE_MS = 5000;

/**
 * Has Redis carry out one command, such as `CONFIG SET maxmemory 0`, as an inline command of its protocol.
 * @returns the first line of the reply
 * @throws Error when the reply is an error, or does not come
 */
export function redisCommand(url: string, command: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error(`Redis did not respond with ${command}`)));
    socket.once('connect', () => socket.write(`${command}\r\n`));
    socket.once('error', reject);
    socket.once('data', (reply) => {
      socket.destroy();
      const line = String(reply).split('\r\n', 1)[0] ?? '';
      if (line.startsWith('-')) reject(new Error(`${command}: ${line}`));
      else resolve(line);
    });
  });
}
