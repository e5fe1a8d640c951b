/** Something that waits for its turn, on behalf of an owner. */
interface Waiting {
  readonly ownerId: string;
}

/** Inspections that wait, at most. */
const MAX_WAITING = 16;
/** Of one owner. A merchant uploads the label and the packing list of a parcel at the same time. */
const MAX_OF_OWNER = 4;

/** A bounded queue in which owners take turns, whatever one of them puts into it. */
export class InspectionQueue<T extends Waiting> {
  readonly #waiting: T[] = [];
  /** Owners in the order of their last turn, the latest at the end; only those who wait. */
  readonly #served: string[] = [];

  /** @returns false, and takes nothing, when the queue or the owner's share of it is full */
  add(job: T): boolean {
    if (this.#waiting.length >= MAX_WAITING) return false;
    if (this.#waiting.filter(({ ownerId }) => ownerId === job.ownerId).length >= MAX_OF_OWNER) return false;
    this.#waiting.push(job);
    return true;
  }

  /** Takes the first job of an owner who has not had a turn since waiting, else of the one whose turn is longest ago. */
  take(): T | undefined {
    const place = (job: T): number => this.#served.indexOf(job.ownerId);
    const next = this.#waiting.reduce<T | undefined>(
      (best, job) => (best === undefined || place(job) < place(best) ? job : best),
      undefined,
    );
    if (next === undefined) return undefined;
    this.remove(next);
    const before = this.#served.filter((ownerId) => ownerId !== next.ownerId && this.#waiting.some((job) => job.ownerId === ownerId));
    this.#served.splice(0, this.#served.length, ...before, next.ownerId);
    return next;
  }

  /** @returns false when the job does not wait any more */
  remove(job: T): boolean {
    const index = this.#waiting.indexOf(job);
    if (index >= 0) this.#waiting.splice(index, 1);
    return index >= 0;
  }

  /** Takes all that waits; of one owner when named. */
  drain(owner?: string): T[] {
    const drained = this.#waiting.filter(({ ownerId }) => owner === undefined || ownerId === owner);
    for (const job of drained) this.remove(job);
    return drained;
  }
}
