import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Chain, Tracer } from './tracer.ts';

/** Methods of a socket that bytes pass. Both are inherited, or Node's own, and go by these names in every release. */
type Passages = Record<'push' | '_writeGeneric', (...args: unknown[]) => unknown>;

/**
 * Lets chains pass HTTP. A request begins a chain, which forks from that of the client when the client is in this process, too. What
 * arrives on a connection continues the chain that wrote to it: connections outlive the requests on them, so that their
 * async context is of no use.
 * @returns a function that ends it
 */
export function followHttp(tracer: Tracer): () => void {
  /** Chain that wrote to a connection last, by the port of this end of it. */
  const writers = new Map<number, Chain | undefined>();
  const passages = Socket.prototype as unknown as Passages;
  const { push, _writeGeneric: write } = passages;
  const hadPush = Object.hasOwn(passages, 'push');
  passages._writeGeneric = function (this: Socket, ...args) {
    if (this.localPort !== undefined) writers.set(this.localPort, tracer.current());
    return write.apply(this, args);
  };
  passages.push = function (this: Socket, ...args) {
    const chain = writers.get(this.localPort ?? 0);
    return chain === undefined ? push.apply(this, args) : tracer.follow(chain, () => push.apply(this, args));
  };

  const callerOf = (message: unknown): number => (message as { request: IncomingMessage }).request.socket.remotePort ?? 0;
  const onRequest = (message: unknown): void => tracer.requestReceived(writers.get(callerOf(message)));
  const onResponse = (message: unknown): void => {
    if (!writers.has(callerOf(message))) tracer.responseSent();
  };
  subscribe('http.server.request.start', onRequest);
  subscribe('http.server.response.finish', onResponse);

  return () => {
    unsubscribe('http.server.request.start', onRequest);
    unsubscribe('http.server.response.finish', onResponse);
    passages._writeGeneric = write;
    if (hadPush) passages.push = push;
    else delete (passages as Partial<Passages>).push;
  };
}
