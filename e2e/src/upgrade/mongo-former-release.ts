import { mongo } from 'mongoose';

const DEADLINE_MS = 10_000;

/** Leaves the intake's database of a stopped platform as a release without the warehouses' view has it. @param prefix of the installation */
export async function forgetViewInMongo(url: string, prefix: string): Promise<void> {
  const client = new mongo.MongoClient(url, { serverSelectionTimeoutMS: DEADLINE_MS, socketTimeoutMS: DEADLINE_MS });
  try {
    const db = client.db(`${prefix}-warehouse-intake`);
    for (const name of ['view_forecasts', 'view_backfill']) await db.collection(name).deleteMany({});
  } finally {
    await client.close();
  }
}
