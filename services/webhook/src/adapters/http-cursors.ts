import { createSealedCursors } from '@parcelway/http/sealed-cursor';

/** Cursors of one list, for the places of its store. */
export interface PlaceCursors {
  /** A place as an opaque text. */
  cursorOf(tenantId: string, place: string): string;
  /** The place in a cursor; undefined when it is not a cursor of this list. The store checks the place itself. */
  placeIn(tenantId: string, cursor: string): string | undefined;
}

export interface WebhookCursors {
  readonly deliveries: PlaceCursors;
  readonly feed: PlaceCursors;
  readonly replays: PlaceCursors;
}

/** @param form what a place of the list looks like, with the letter in front that is different for each list */
function placeCursors(secrets: readonly string[], letter: string, form: RegExp): PlaceCursors {
  const cursors = createSealedCursors(secrets, `webhook ${letter}`);
  return {
    cursorOf: (tenantId, place) => cursors.seal(tenantId, letter + place),
    placeIn: (tenantId, cursor) => form.exec(cursors.open(tenantId, cursor) ?? '')?.[1],
  };
}

/** @param secrets of the installation */
export function createWebhookCursors(secrets: readonly string[]): WebhookCursors {
  return {
    // A place is a number or the id of a delivery, as the store counts.
    deliveries: placeCursors(secrets, 'd', /^d(\d{1,15}|dlv_[0-9a-f]{32})$/),
    feed: placeCursors(secrets, 'e', /^e([\x21-\x7e]{1,100})$/),
    replays: placeCursors(secrets, 'r', /^r([\x21-\x7e]{1,200})$/),
  };
}
