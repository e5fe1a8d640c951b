/** Times that an import may start without getting further. What ends the process may be the import itself. */
export const MAX_STARTS = 5;
/** More than are started without getting further at a time. */
const MAX_NOTED = 32;

/** How often imports were started without getting further, as it is kept with the lease of the work: it survives the process. */
export class ImportStarts {
  readonly #starts: Map<string, number>;

  /** @param place what {@link toString} gave; anything else counts as nothing */
  constructor(place: string) {
    const noted = [...place.matchAll(/(imp_[0-9a-z]+) (\d{1,4})(?:;|$)/g)];
    this.#starts = new Map(noted.slice(-MAX_NOTED).map(([, importId, starts]) => [importId as string, Number(starts)]));
  }

  /** Notes a start. @returns false when there were too many */
  begin(importId: string): boolean {
    const starts = (this.#starts.get(importId) ?? 0) + 1;
    this.#starts.delete(importId);
    this.#starts.set(importId, starts);
    return starts <= MAX_STARTS;
  }

  /** Forgets an import: it got further, or its end was no crash. @returns false when nothing was noted */
  forget(importId: string): boolean {
    return this.#starts.delete(importId);
  }

  toString(): string {
    return [...this.#starts].map(([importId, starts]) => `${importId} ${starts}`).join(';');
  }
}
