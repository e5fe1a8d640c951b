import { SqliteDatabase } from '@parcelway/sqlite/database';
import { type EmbeddedBus, type EmbeddedBusOptions, openEmbeddedBus } from '../embedded-driver.ts';

/** Opens an embedded log in a separate file. Closing the log closes the file. @param path file path, or `:memory:` */
export async function openBusInFile(path: string, options: Omit<EmbeddedBusOptions, 'db'>): Promise<EmbeddedBus> {
  const db = new SqliteDatabase(path);
  const driver = await openEmbeddedBus({ ...options, db });
  const close = driver.close.bind(driver);
  driver.close = async () => {
    await close();
    db.close();
  };
  return driver;
}
