/** The clock of the platform, by the `Date` of its last response; the one of the device until there is one. */
export class PlatformClock {
  #aheadMs = 0;

  /** Notes the time of a response. */
  note(response: Response): Response {
    const at = Date.parse(response.headers.get('date') ?? '');
    if (!Number.isNaN(at)) this.#aheadMs = at - Date.now();
    return response;
  }

  /** Epoch milliseconds. */
  now(): number {
    return Date.now() + this.#aheadMs;
  }
}
