import { type IntakeEvent, storedText } from './event.ts';

/*
 * Warehouses report an event again when they are unsure that it arrived. An event is known by its warehouse and its id. The same event
 * again has no second effect. With other content, the first stays, and the repeat is a conflict.
 */

/** Names an event. */
export type EventKey = Pick<IntakeEvent, 'warehouseCode' | 'eventId'>;

/** A text that names an event. Warehouse codes hold no blank. */
export function eventKey({ warehouseCode, eventId }: EventKey): string {
  return `${warehouseCode} ${eventId}`;
}

/** The name alone of an event. */
export function nameOf({ warehouseCode, eventId }: EventKey): EventKey {
  return { warehouseCode, eventId };
}

/**
 * Those of the events that are not stored, each once, and the repeats whose content differs.
 * @param stored those of the events that are stored, by {@link eventKey}; see storedText of event
 */
export function sortReports(events: readonly IntakeEvent[], stored: ReadonlyMap<string, { readonly text: string }>) {
  const fresh = new Map<string, { readonly event: IntakeEvent; readonly text: string }>();
  const conflicts: EventKey[] = [];
  for (const event of events) {
    const key = eventKey(event);
    const text = storedText(event);
    const first = stored.get(key) ?? fresh.get(key);
    if (first === undefined) fresh.set(key, { event, text });
    else if (first.text !== text) conflicts.push(nameOf(event));
  }
  return { fresh: [...fresh.values()], conflicts };
}
