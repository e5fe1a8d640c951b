/** Events in the order of their times: a binary heap. Of events at the same time any may come first, but always the same one. */
export class EventQueue {
  #times = new Float64Array(1024);
  #kinds = new Int32Array(1024);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Time of the next event. @throws RangeError when there is none */
  get nextTime(): number {
    if (this.#size === 0) throw new RangeError('There is no event');
    return this.#times[0] as number;
  }

  /** @param kind what happens, a whole number */
  push(time: number, kind: number): void {
    if (this.#size === this.#times.length) this.#grow();
    let at = this.#size;
    this.#size += 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if ((this.#times[above] as number) <= time) break;
      this.#times[at] = this.#times[above] as number;
      this.#kinds[at] = this.#kinds[above] as number;
      at = above;
    }
    this.#times[at] = time;
    this.#kinds[at] = kind;
  }

  /** Takes the next event away. @returns what happens @throws RangeError when there is none */
  pop(): number {
    if (this.#size === 0) throw new RangeError('There is no event');
    const kind = this.#kinds[0] as number;
    this.#size -= 1;
    const time = this.#times[this.#size] as number;
    const last = this.#kinds[this.#size] as number;
    let at = 0;
    for (let below = 1; below < this.#size; below = 2 * at + 1) {
      if (below + 1 < this.#size && (this.#times[below + 1] as number) < (this.#times[below] as number)) below += 1;
      if ((this.#times[below] as number) >= time) break;
      this.#times[at] = this.#times[below] as number;
      this.#kinds[at] = this.#kinds[below] as number;
      at = below;
    }
    this.#times[at] = time;
    this.#kinds[at] = last;
    return kind;
  }

  #grow(): void {
    const times = new Float64Array(2 * this.#times.length);
    const kinds = new Int32Array(times.length);
    times.set(this.#times);
    kinds.set(this.#kinds);
    this.#times = times;
    this.#kinds = kinds;
  }
}
