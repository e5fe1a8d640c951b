import { AppError, type FieldError } from '@parcelway/kernel/app-error';

/** A place in the list of forecasts, newest first: behind the forecast with these values. */
export interface ListPosition {
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly forecastId: number;
}

/** The position as an opaque text for the next page. */
export function encodeCursor(position: ListPosition): string {
  return Buffer.from(`1.${position.createdAt}.${position.forecastId}`).toString('base64url');
}

function positionIn(cursor: string): ListPosition | undefined {
  const match = /^1\.(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const position = match && { createdAt: Number(match[1]), forecastId: Number(match[2]) };
  return position && encodeCursor(position) === cursor ? position : undefined;
}

const invalid: FieldError = { field: 'cursor', rule: 'cursor', message: 'cursor must be the next_cursor of a page before' };

/** What is wrong with a text that {@link encodeCursor} did not make; undefined when it did. */
export function cursorError(cursor: string): FieldError | undefined {
  return positionIn(cursor) === undefined ? invalid : undefined;
}

/**
 * The position in a cursor.
 * @throws AppError 42201 on `cursor` for anything that {@link encodeCursor} did not make
 */
export function decodeCursor(cursor: string): ListPosition {
  const position = positionIn(cursor);
  if (!position) throw AppError.validation([invalid]);
  return position;
}
