import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { deletedForecasts } from './mongo-retention-schema.ts';

/**
 * True of a forecast that was deleted in the last days: what is recorded of it is over already. Whoever records something looks after that; a deletion
 * writes that it happens, and looks for what was recorded after that. One sees the other.
 * @throws AppError 50301
 */
export async function isDeletedForecast(db: MongoDatabase, tenantId: string, forecastNo: string): Promise<boolean> {
  const forecast = { tenant_id: tenantId, forecast_no: forecastNo };
  const deleted = db.model(deletedForecasts).collection;
  return (await db.run(() => deleted.findOne(forecast, { projection: { _id: 1 } }))) !== null;
}
