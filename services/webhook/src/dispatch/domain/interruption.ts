/**
 * Ends one attempt early. Like an AbortSignal with a single listener, which is all that an attempt needs: an AbortController for each would be
 * a fifth of the work of sending.
 */
export class Interruption {
  #done = false;
  #end: (() => void) | undefined;

  get done(): boolean {
    return this.#done;
  }

  /** Says what ends the attempt; it is called at most once, at once when the interruption came before. */
  onInterrupt(end: () => void): void {
    if (this.#done) end();
    else this.#end = end;
  }

  interrupt(): void {
    if (this.#done) return;
    this.#done = true;
    this.#end?.();
  }
}
