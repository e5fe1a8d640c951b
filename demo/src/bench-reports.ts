import { randomUUID } from 'node:crypto';
import type { UploadedPhoto } from '@parcelway/contracts/file-api';
import type { EventOutcome } from '@parcelway/contracts/unclaimed-api';
import type { IntakeResult } from '@parcelway/contracts/warehouse-api';
import { samplePng } from '@parcelway/harness/sample-data';
import type { Bench } from './bench.ts';
import { check } from './check.ts';

/** What the demo weighs, in kg and cm. */
export const MEASURED = { length_cm: 30, width_cm: 20.5, height_cm: 12, weight_kg: 1.84 } as const;

async function photoOf({ warehouse }: Bench, what: string): Promise<string> {
  const photo = await warehouse.upload<UploadedPhoto>('/warehouse/v1/photos', `${what}.png`, samplePng(what), 'image/png');
  return photo.photo_id;
}

/** Reports events of the parcel in one call, and checks that each was applied to its forecast. */
async function report({ warehouse, code, trackingNumber }: Bench, forecastNo: string, details: readonly object[]): Promise<void> {
  const common = { warehouse_code: code, forecast_no: forecastNo, express_no: trackingNumber };
  const events = details.map((detail) => ({
    event_id: `${code}-${randomUUID()}`,
    occurred_at: new Date().toISOString(),
    ...common,
    ...detail,
  }));
  const result = await warehouse.call<IntakeResult>('/warehouse/v1/events', { body: { events } });
  check(result.accepted === events.length && result.rejected.length === 0, 'an event was not taken');
  for (const { event_id } of events) {
    const outcome = await warehouse.call<EventOutcome>(`/warehouse/v1/events/${event_id}`);
    check(outcome.state === 'applied' && outcome.forecast_no === forecastNo, `the event ${event_id} was not applied`);
  }
}

/** The parcel has arrived, and is photographed. @returns a note */
export async function receiveParcel(bench: Bench, forecastNo: string): Promise<string> {
  const photo = await photoOf(bench, 'parcel');
  const image = { type: 'photo', photo_id: photo, image_type: 'package', image_order: 1 };
  await report(bench, forecastNo, [{ type: 'arrival' }, image]);
  return 'arrival and a photo, applied to the forecast';
}

/** The parcel is on the scale, and is photographed twice. @returns a note */
export async function weighParcel(bench: Bench, forecastNo: string): Promise<string> {
  const photos = [await photoOf(bench, 'scale-1'), await photoOf(bench, 'scale-2')];
  await report(bench, forecastNo, [{ type: 'weighing', ...MEASURED, photo_ids: photos }]);
  return `${MEASURED.weight_kg} kg and ${photos.length} photos, applied to the forecast`;
}

/** Work begins, and the parcel is given to the simulated carrier. */
export async function dispatchParcel(bench: Bench, forecastNo: string): Promise<void> {
  await report(bench, forecastNo, [{ type: 'processing' }]);
  await report(bench, forecastNo, [{ type: 'dispatch', carrier_code: 'simulated', tracking_number: bench.trackingNumber }]);
}
