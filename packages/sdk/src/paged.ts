/** A page, as far as the way to the next one goes. */
export interface PageLike {
  /** Null on the last page. */
  readonly next_cursor: string | null;
}

/** Asks for a page. @param cursor `next_cursor` of the previous page; undefined for the first */
type FetchPage<Page> = (cursor: string | undefined) => Promise<Page>;

/**
 * A list in pages. Awaited, it is its first page; in `for await` it is all its items, page after page, each asked for
 * when it is needed.
 */
export class Paged<Item, Page extends PageLike> implements PromiseLike<Page>, AsyncIterable<Item> {
  readonly #fetch: FetchPage<Page>;
  readonly #itemsOf: (page: Page) => readonly Item[];
  #first: Promise<Page> | undefined;

  constructor(fetch: FetchPage<Page>, itemsOf: (page: Page) => readonly Item[]) {
    this.#fetch = fetch;
    this.#itemsOf = itemsOf;
  }

  /** The first page; asked for once, however often it is awaited. */
  // biome-ignore lint/suspicious/noThenProperty: awaiting a list is what it is for
  then<A = Page, B = never>(
    fulfilled?: ((page: Page) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#first ??= this.#fetch(undefined);
    return this.#first.then(fulfilled, rejected);
  }

  /** Page after page. @throws ParcelwayError as the calls do */
  async *pages(): AsyncGenerator<Page, void, void> {
    let page: Page = await this.then();
    for (;;) {
      yield page;
      const { next_cursor: cursor } = page;
      if (cursor === null) return;
      page = await this.#fetch(cursor);
      if (page.next_cursor === cursor) throw new Error('The platform returned the same cursor again; the list would never end');
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, void> {
    for await (const page of this.pages()) yield* this.#itemsOf(page);
  }
}
