import { systemClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { openMongoView } from '@parcelway/service-warehouse-intake/adapters/mongo-stores';
import { SqliteView } from '@parcelway/service-warehouse-intake/view/adapters/sqlite-view';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { fillView } from '../view/view-sample.ts';

/*
 * Puts forecasts into the view of a warehouse, beside the service that works with it, by the service's own writer. Arguments: `sqlite` and the file
 * of the service, or `mongo` and the name of its database on the server of MONGODB_URL; the warehouse; the first and the last index. Prints { count }.
 */

const [kind = '', place = '', warehouseCode = '', from = '1', to = '0'] = process.argv.slice(2);

/** Changes at the same time: a commit takes them together, or MongoDB does. */
const AT_ONCE = { sqlite: 512, mongo: 64 } as const;

async function fillSqlite(): Promise<void> {
  const db = new SqliteDatabase(place, { synchronous: 'normal' });
  await fillView(new SqliteView(db, systemClock), warehouseCode, Number(from), Number(to), AT_ONCE.sqlite);
  db.close();
}

async function fillMongo(): Promise<void> {
  const url = process.env['MONGODB_URL'] ?? '';
  const database = new MongoDatabase({ url, name: place, logger: silentLogger, maxConnections: AT_ONCE.mongo });
  await database.connect();
  await fillView(openMongoView(database, systemClock, false), warehouseCode, Number(from), Number(to), AT_ONCE.mongo);
  await database.close();
}

await (kind === 'sqlite' ? fillSqlite() : fillMongo());
process.stdout.write(JSON.stringify({ count: Number(to) - Number(from) + 1 }));
