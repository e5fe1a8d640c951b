/** A place in a list that is ordered by time: behind the record with these values. */
export interface ListPosition {
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly id: string;
}

/** A position as a text of visible ASCII. */
export function textOfPosition({ createdAt, id }: ListPosition): string {
  return `1.${createdAt}.${id}`;
}

/** The position in a text; undefined when {@link textOfPosition} did not make it. */
export function positionInText(text: string): ListPosition | undefined {
  const match = /^1\.(0|[1-9]\d{0,14})\.([\x21-\x7e]{1,100})$/.exec(text);
  return match === null ? undefined : { createdAt: Number(match[1]), id: match[2] as string };
}
