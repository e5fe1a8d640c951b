import type { Caller, CallParts } from './caller.ts';
import type { RouteTypes } from './generated/routes.ts';
import type { CallOptions } from './options.ts';
import { Paged, type PageLike } from './paged.ts';

/** Ids of routes whose response is a page of a list. */
type PagedRoute = { [I in keyof RouteTypes]: RouteTypes[I]['data'] extends PageLike ? I : never }[keyof RouteTypes];

/** What a client can do with one kind of thing. Each method calls a route and rejects with a ParcelwayError. */
export abstract class Resource {
  protected readonly caller: Caller;

  constructor(caller: Caller) {
    this.caller = caller;
  }

  /** A list in pages. @param parts those of the first page @param itemsOf a page */
  protected pages<I extends PagedRoute, Item>(
    id: I,
    parts: CallParts<I>,
    itemsOf: (page: RouteTypes[I]['data']) => readonly Item[],
    options: CallOptions | undefined,
  ): Paged<Item, RouteTypes[I]['data']> {
    const { query } = parts as { readonly query?: object };
    return new Paged(
      (cursor) => this.caller.call(id, cursor === undefined ? parts : { ...parts, query: { ...query, cursor } }, options),
      itemsOf,
    );
  }
}
