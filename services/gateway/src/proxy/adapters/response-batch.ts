/** A response that is ready to be written. Never throws. */
export interface ReadyResponse {
  write(): void;
}

/**
 * Writes responses together that became ready in the same turn of the event loop, at the end of that turn. Under load this
 * saves work in the system: whoever waits for the first of them is awake for the others. Alone, a response waits for nothing.
 */
export class ResponseBatch {
  #ready: ReadyResponse[] = [];
  readonly #writeAll = (): void => {
    const ready = this.#ready;
    this.#ready = [];
    for (const response of ready) response.write();
  };

  /** Has a response written, once, before the next events are looked at. */
  add(response: ReadyResponse): void {
    if (this.#ready.push(response) === 1) setImmediate(this.#writeAll);
  }
}
