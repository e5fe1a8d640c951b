import type { ServerResponse } from 'node:http';
import type { FairShares } from '@parcelway/kernel/fair-shares';

/**
 * Holds what a service has sent and its client has not read yet, so that the connection to the service is free before the client
 * has read. What it holds counts against the share of its holder.
 */
export class ReadAhead {
  readonly #res: ServerResponse;
  readonly #bytes: FairShares;
  readonly #holder: string;
  #queue: Buffer[] = [];
  /** Bytes of the queue that count. */
  #counted = 0;
  /** The client has not read what was written last. */
  #behind = false;
  #ended = false;
  #onEmpty: (() => void) | undefined;
  readonly #onDrain = (): void => {
    this.#behind = false;
    this.#flush();
  };

  constructor(res: ServerResponse, bytes: FairShares, holder: string) {
    this.#res = res;
    this.#bytes = bytes;
    this.#holder = holder;
    res.on('drain', this.#onDrain);
    res.once('close', () => this.#drop());
  }

  /** Takes a chunk in any case. @returns false when the share is used up: then wait for {@link whenEmpty} */
  push(chunk: Buffer): boolean {
    if (!this.#behind) {
      this.#behind = !this.#res.write(chunk);
      return true;
    }
    this.#queue.push(chunk);
    if (!this.#bytes.take(this.#holder, chunk.length)) return false;
    this.#counted += chunk.length;
    return true;
  }

  /** Calls back once the client has read everything. */
  whenEmpty(callback: () => void): void {
    this.#onEmpty = callback;
  }

  /** Nothing follows: ends the response once everything is written. */
  end(): void {
    this.#ended = true;
    this.#flush();
  }

  #flush(): void {
    while (!this.#behind && this.#queue.length > 0) this.#behind = !this.#res.write(this.#queue.shift());
    if (this.#queue.length > 0) return;
    this.#giveBack();
    if (this.#ended) {
      this.#res.off('drain', this.#onDrain).end();
    } else if (!this.#behind) {
      const callback = this.#onEmpty;
      this.#onEmpty = undefined;
      callback?.();
    }
  }

  #drop(): void {
    this.#queue = [];
    this.#giveBack();
  }

  #giveBack(): void {
    if (this.#counted > 0) this.#bytes.give(this.#holder, this.#counted);
    this.#counted = 0;
  }
}
