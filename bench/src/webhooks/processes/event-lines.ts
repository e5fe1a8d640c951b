import { createServer, type Server, type Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import type { BenchEvent } from '../sides/side.ts';

function serve(socket: Socket, publish: (event: BenchEvent) => Promise<void>): void {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let responses = '';
  // Events of one commit get a response together.
  const respond = (id: string, error?: string): void => {
    if (responses === '') {
      setImmediate(() => {
        socket.write(responses);
        responses = '';
      });
    }
    responses += `${JSON.stringify({ id, error })}\n`;
  };
  socket.on('data', (chunk) => {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event = JSON.parse(line) as BenchEvent;
      publish(event).then(
        () => respond(event.id),
        (error: unknown) => respond(event.id, String(error)),
      );
    }
  });
  // Whoever published hears of it: the connection is gone, and with it the responses.
  socket.on('error', () => socket.destroy());
}

/** Takes events in over TCP, one JSON line each, and responds to each with a line of its own once it is published. */
export function createEventLines(publish: (event: BenchEvent) => Promise<void>): Server {
  return createServer({ noDelay: true }, (socket) => serve(socket, publish));
}
