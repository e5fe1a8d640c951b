/** A place in the list of forecasts, newest first: behind the forecast with these values. */
export interface ListPosition {
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly forecastId: number;
}

/** A position as a text of digits and dots. */
export function textOfPosition({ createdAt, forecastId }: ListPosition): string {
  return `1.${createdAt}.${forecastId}`;
}

/** The position in a text; undefined when {@link textOfPosition} did not make it. */
export function positionInText(text: string): ListPosition | undefined {
  const match = /^1\.(\d{1,15})\.(\d{1,15})$/.exec(text);
  const position = match && { createdAt: Number(match[1]), forecastId: Number(match[2]) };
  return position && textOfPosition(position) === text ? position : undefined;
}
