interface Planned {
  readonly at: number;
  readonly run: () => void;
}

/** Plays what is planned in the order of its time, without waiting. */
export class VirtualTime {
  #now = 0;
  #planned: Planned[] = [];

  /** Milliseconds since the beginning. */
  now(): number {
    return this.#now;
  }

  /** Plans something; what is planned for the same time runs in the order of planning. */
  after(ms: number, run: () => void): void {
    const at = this.#now + ms;
    let index = this.#planned.length;
    while (index > 0 && (this.#planned[index - 1] as Planned).at > at) index -= 1;
    this.#planned.splice(index, 0, { at, run });
  }

  /** Plays everything that is planned up to a time, and what follows from it up to then. */
  async playUntil(end: number): Promise<void> {
    for (let next = this.#planned[0]; next !== undefined && next.at <= end; next = this.#planned[0]) {
      this.#planned.shift();
      this.#now = next.at;
      next.run();
      await settled();
    }
    this.#now = end;
  }
}

/** Lets promises that are settled reach those who wait for them. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) await undefined;
}
