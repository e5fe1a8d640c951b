/** An answer that is ready to be written. Never throws. */
export interface ReadyAnswer {
  write(): void;
}

/**
 * Writes answers together that became ready in the same turn of the event loop, at the end of that turn. Under load this
 * saves work in the system: whoever waits for the first of them is awake for the others. Alone, an answer waits for nothing.
 */
export class AnswerBatch {
  #ready: ReadyAnswer[] = [];
  readonly #writeAll = (): void => {
    const ready = this.#ready;
    this.#ready = [];
    for (const answer of ready) answer.write();
  };

  /** Has an answer written, once, before the next events are looked at. */
  add(answer: ReadyAnswer): void {
    if (this.#ready.push(answer) === 1) setImmediate(this.#writeAll);
  }
}
