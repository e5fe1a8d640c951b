import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { topics } from '@parcelway/contracts/topics';
import {
  type ExpectedForecast,
  type ForecastChange,
  MAX_CHANGE_BYTES,
  type WarehouseForecastChange,
} from '@parcelway/contracts/warehouse-change';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';

/** What has happened to a forecast that systems of warehouses are to hear of. */
export interface ChangeNote {
  readonly change: ForecastChange;
  /** ISO 8601. */
  readonly changedAt: string;
}

/** The entry of the outbox. It names the change alone: the message is made of the forecast as it is when it is published. */
export function noteEntry(forecastNo: string, note: ChangeNote): EncodedMessage {
  return { topic: topics.warehouseExpected, key: forecastNo, value: JSON.stringify(note) };
}

/**
 * The message that reports a change, as JSON of at most {@link MAX_CHANGE_BYTES}: without the items when it would be larger, and without the
 * reports of the warehouse when that is not enough.
 * @param entry value of a {@link noteEntry}
 * @param hasItems false while the items are those of a former version
 */
export function changeMessage(entry: string, detail: WarehouseForecastDetail, hasItems: boolean): string {
  const { change, changedAt } = JSON.parse(entry) as ChangeNote;
  const textOf = (forecast: ExpectedForecast): string =>
    JSON.stringify({ change, changed_at: changedAt, forecast } satisfies WarehouseForecastChange);
  const withoutItems = { ...detail, items: null };
  const text = textOf(hasItems ? detail : withoutItems);
  if (fits(text)) return text;
  const shorter = textOf(withoutItems);
  return fits(shorter) ? shorter : textOf({ ...withoutItems, measurements: null, photos: null, exceptions: null });
}

function fits(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_CHANGE_BYTES;
}
