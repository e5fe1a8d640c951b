import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/*
 * A client may send the whole body before it reads the response. Closing its connection with unread bytes resets it, and the
 * reset takes the response with it (RFC 9112, 9.6). So what is left of a refused body is read and thrown away, without being
 * stored, within bounds; beyond them the connection is cut.
 */

/** 64 MB beyond the largest body that any route takes, a form with a file of 10 MB. */
const MAX_DISCARDED_BYTES = (64 + 12) * 1024 * 1024;
/** A client that sends nothing for this long has stopped sending. */
const MAX_SILENCE_MS = 5000;
const MAX_DURATION_MS = 60_000;
/** Bodies discarded at the same time. One more ends the one that has had the most. */
const MAX_DISCARDS = 64;

/** One body that is being thrown away. */
interface Discard {
  readonly req: IncomingMessage;
  bytes: number;
}

const discards = new Set<Discard>();

function makeRoom(): void {
  if (discards.size < MAX_DISCARDS) return;
  let largest: Discard | undefined;
  for (const each of discards) if (largest === undefined || each.bytes > largest.bytes) largest = each;
  largest?.req.destroy();
}

/** Keeps a connection that Node would close after the response open until `release` is called. */
function holdOpen(socket: Socket): () => void {
  const destroySoon = socket.destroySoon.bind(socket);
  let wanted = false;
  socket.destroySoon = () => {
    wanted = true;
  };
  return () => {
    // The connection may go on to serve other requests.
    Reflect.deleteProperty(socket, 'destroySoon');
    if (wanted) destroySoon();
  };
}

const discarding = new WeakSet<IncomingMessage>();
/** Connections on which a body is being thrown away. */
const busy = new WeakSet<Socket>();

/** True while the rest of a refused body is read from a connection: its request has had its response. */
export function isDiscarding(socket: Socket): boolean {
  return busy.has(socket);
}

/** Reads and forgets what is left of a refused request's body, so that the client sees the response. */
export function discardBody(req: IncomingMessage): void {
  if (req.complete || req.destroyed) return;
  if (!discarding.has(req)) startDiscard(req);
  req.resume();
}

function startDiscard(req: IncomingMessage): void {
  discarding.add(req);
  makeRoom();
  const discard: Discard = { req, bytes: 0 };
  discards.add(discard);
  const { socket } = req;
  busy.add(socket);
  const release = holdOpen(socket);
  const cut = (): void => {
    req.destroy();
  };
  const deadline = setTimeout(cut, MAX_DURATION_MS);
  const silence = setTimeout(cut, MAX_SILENCE_MS);
  const stop = (): void => {
    discards.delete(discard);
    busy.delete(socket);
    req.off('end', stop);
    socket.off('close', stop);
    clearTimeout(deadline);
    clearTimeout(silence);
    release();
  };
  req.on('data', (chunk: Buffer) => {
    discard.bytes += chunk.length;
    if (discard.bytes > MAX_DISCARDED_BYTES) cut();
    else silence.refresh();
  });
  req.on('end', stop);
  // Listens on the socket: after the response, the request emits no event when its client disconnects.
  socket.on('close', stop);
  // The response is already sent: an aborted request needs no error any more.
  req.on('error', () => undefined);
}
