import type { EventFeed as EventPage, WebhookEvent } from './generated/types.ts';
import type { RetryNotice } from './options.ts';
import { ParcelwayError } from './parcelway-error.ts';
import { sleep, waitBefore } from './retry.ts';

/** How a feed goes on after its end. */
export interface FollowOptions {
  /** True: it never ends but waits for further events. Default false: it ends with the newest event. */
  readonly follow?: boolean;
  /** Milliseconds between two looks for further events, 100 at least; default 2,000. */
  readonly pollMs?: number;
  /** Milliseconds for which the platform may be unavailable before a followed feed fails; default 300,000. */
  readonly maxOutageMs?: number;
  readonly signal?: AbortSignal;
  readonly onRetry?: (notice: RetryNotice) => void;
}

type FetchPage = (cursor: string | undefined) => Promise<EventPage>;

/**
 * The events of a tenant, oldest first. Awaited, it is its first page; in `for await` it is event after event. Keep
 * {@link cursor} with what you did, and begin there the next time.
 */
export class EventFeed implements PromiseLike<EventPage>, AsyncIterable<WebhookEvent> {
  readonly #fetch: FetchPage;
  readonly #options: FollowOptions;
  #cursor: string | undefined;

  /** @param after where it begins; undefined for the beginning that the query names */
  constructor(fetch: FetchPage, after: string | undefined, options: FollowOptions) {
    this.#fetch = fetch;
    this.#cursor = after;
    this.#options = options;
  }

  /** Where to go on: `after` of a later call. It moves when every event of a page has been taken, so an event may come again, and none is left out. */
  get cursor(): string | undefined {
    return this.#cursor;
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a feed is its first page
  then<A = EventPage, B = never>(
    fulfilled?: ((page: EventPage) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#fetch(this.#cursor).then(fulfilled, rejected);
  }

  /** Page after page; a followed feed leaves out empty ones. @throws ParcelwayError, or the reason of the signal */
  async *pages(): AsyncGenerator<EventPage, void, void> {
    const { follow = false, pollMs = 2000, signal } = this.#options;
    for (;;) {
      signal?.throwIfAborted();
      const page = await (follow ? this.#fetchThroughOutages() : this.#fetch(this.#cursor));
      if (page.events.length > 0 || !follow) yield page;
      this.#cursor = page.next_cursor;
      if (page.has_more) continue;
      if (!follow) return;
      await sleep(Math.max(100, pollMs), signal);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WebhookEvent, void, void> {
    for await (const page of this.pages()) yield* page.events;
  }

  async #fetchThroughOutages(): Promise<EventPage> {
    const { maxOutageMs = 300_000, signal, onRetry } = this.#options;
    const end = Date.now() + maxOutageMs;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#fetch(this.#cursor);
      } catch (error) {
        if (!(error instanceof ParcelwayError) || !error.isPassing) throw error;
        const waitMs = waitBefore(attempt, error, Math.random());
        if (Date.now() + waitMs >= end) throw error;
        onRetry?.({ error, waitMs, attempt });
        await sleep(waitMs, signal);
      }
    }
  }
}
