import type { Endpoint } from '../../endpoints/domain/endpoint.ts';

/** What was read of an endpoint before it changed may arrive so long after the change, and far sooner as a rule. */
const KEPT_MS = 60_000;

/** What has become of endpoints lately: what was leased just before arrives later. Instants are epoch milliseconds. */
export class EndpointNews {
  /** In the order of their time; none for an endpoint that was deleted. */
  readonly #news = new Map<string, { readonly endpoint: Endpoint | undefined; readonly at: number }>();

  get size(): number {
    return this.#news.size;
  }

  /** @param endpoint its new state; undefined when it was deleted */
  note(endpointId: string, endpoint: Endpoint | undefined, at: number): void {
    this.#news.delete(endpointId);
    this.#news.set(endpointId, { endpoint, at });
  }

  /** An endpoint that was read at some time, as it is by what is known; undefined when it was deleted since. */
  newestOf(endpoint: Endpoint): Endpoint | undefined {
    const known = this.#news.get(endpoint.endpointId);
    if (known === undefined) return endpoint;
    // One that was made later has the id again.
    if (known.endpoint === undefined) return endpoint.createdAt > known.at ? endpoint : undefined;
    return known.endpoint.updatedAt > endpoint.updatedAt ? known.endpoint : endpoint;
  }

  /** Forgets news that everything which arrives has followed. */
  forgetOld(now: number): void {
    for (const [endpointId, { at }] of this.#news) {
      if (Math.abs(now - at) < KEPT_MS) return;
      this.#news.delete(endpointId);
    }
  }
}
