import type { WaitingPosition } from './event-outcome.ts';

/** A position as a text of letters, digits, dots and `_`. */
export function textOfPosition({ receivedAt, id }: WaitingPosition): string {
  return `1.${receivedAt}.${id}`;
}

/** The position in a text; undefined when {@link textOfPosition} did not make it. */
export function waitingPositionIn(text: string): WaitingPosition | undefined {
  const [, receivedAt, id] = /^1\.(\d{1,15})\.(\d{1,15}|evt_[0-9a-f]{32})$/.exec(text) ?? [];
  return id === undefined ? undefined : { receivedAt: Number(receivedAt), id };
}
