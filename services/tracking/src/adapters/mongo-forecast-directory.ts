import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import type { KnownForecast } from '../domain/shipment.ts';
import type { AcceptedForecast, Dispatch, ForecastDirectory } from '../ports.ts';
import { parcelId } from './mongo-documents.ts';
import { LOST, retryLost } from './mongo-revision.ts';
import { type ParcelDocument, parcels, type ShipmentFields } from './mongo-schema.ts';

/**
 * The directory of forecasts in MongoDB.
 *
 * Crashes: acceptance and cancellation are one write each. A dispatch is one as well, but for the document of a forecast
 * that no event has named yet, which is made before; when the process ends in between, the event is delivered again
 * and finds it. A dispatch is decided by what was read, and written only if that still holds (see `revision`), so an
 * earlier dispatch that comes late from another process never takes the place of a later one.
 */
export function createMongoForecastDirectory(db: MongoDatabase): ForecastDirectory {
  const model = db.model(parcels);

  /** Writes what an event says, into a new document if there is none. */
  const upsert = async (forecast: KnownForecast, said: Partial<ParcelDocument>, otherwise: Partial<ParcelDocument>): Promise<void> => {
    const { tenantId: tenant_id, forecastNo: forecast_no, poNumber: po_number } = forecast;
    const update = { $set: said, $setOnInsert: { tenant_id, forecast_no, po_number, revision: 0, ...otherwise } };
    const write = () => model.updateOne({ _id: parcelId(forecast) }, update, { upsert: true });
    try {
      await write();
    } catch (error) {
      // Another process has just made the document: now there is one to update.
      if (!isDuplicateKey(error)) throw error;
      await write();
    }
  };

  const attemptDispatch = async (dispatch: Dispatch): Promise<typeof LOST | undefined> => {
    const _id = parcelId(dispatch);
    const known = await model.findOne({ _id }, { revision: 1, shipment: 1 }).lean();
    if (!known) {
      await upsert(dispatch, {}, { forecast_id: 0, accepted_at: dispatch.at, is_cancelled: false });
      return LOST;
    }
    const set = afterDispatch(dispatch, known.shipment);
    if (!set) return undefined;
    const { matchedCount } = await model.updateOne({ _id, revision: known.revision }, { $set: set, $inc: { revision: 1 } });
    return matchedCount === 1 ? undefined : LOST;
  };

  return {
    accept: (forecast: AcceptedForecast) =>
      db.run(() => upsert(forecast, { forecast_id: forecast.forecastId, accepted_at: forecast.acceptedAt }, { is_cancelled: false })),
    cancel: (forecast, at) => db.run(() => upsert(forecast, { is_cancelled: true }, { forecast_id: 0, accepted_at: at })),
    dispatch: (dispatch) => db.run(() => retryLost(() => attemptDispatch(dispatch))),
  };
}

/** What a dispatch sets; undefined when it is known, or older than the one known. */
function afterDispatch(dispatch: Dispatch, known: ShipmentFields | undefined): object | undefined {
  if (known && dispatch.sequence <= known.sequence) return undefined;
  if (known?.tracking_number === dispatch.trackingNumber && known.carrier_code === dispatch.carrierCode) {
    return { 'shipment.sequence': dispatch.sequence };
  }
  const shipment: ShipmentFields = {
    carrier_code: dispatch.carrierCode,
    tracking_number: dispatch.trackingNumber,
    watch: known ? known.watch + 1 : 1,
    sequence: dispatch.sequence,
    watched_since: dispatch.at,
    published_status: known?.published_status ?? '',
    last_change_at: dispatch.at,
    next_poll_at: dispatch.at,
    lease_until: 0,
    wakes: known ? known.wakes + 1 : 0,
    failures: 0,
  };
  return { shipment, nodes: [] };
}
