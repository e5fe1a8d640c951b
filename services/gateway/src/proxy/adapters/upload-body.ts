import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { discardBody } from '@parcelway/http/discard-body';

/**
 * A request's body on its way to a service: read no faster than it is taken. Destroying it, as the client of the
 * service does when the service has responded early, leaves the connection of the merchant alone: the rest of the body
 * is thrown away and the response reaches him.
 */
export class UploadBody extends Readable {
  readonly #req: IncomingMessage;
  readonly #onData = (chunk: Buffer): void => {
    if (!this.push(chunk)) this.#req.pause();
  };
  readonly #onEnd = (): void => {
    this.push(null);
  };
  readonly #onBroken = (): void => {
    // What has come and was not read is lost with the connection.
    if (!this.#req.readableEnded) this.destroy(new Error('The client stopped sending'));
  };

  constructor(req: IncomingMessage) {
    super({ highWaterMark: 64 * 1024 });
    this.#req = req;
    // Who reads it hears of it as well. While it waits for its turn nobody does, and an error without a listener would end the process.
    this.on('error', () => undefined);
    req.on('data', this.#onData).on('end', this.#onEnd).on('close', this.#onBroken).pause();
  }

  override _read(): void {
    this.#req.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#req.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onBroken);
    if (!this.#req.destroyed) discardBody(this.#req);
    done(error);
  }
}
