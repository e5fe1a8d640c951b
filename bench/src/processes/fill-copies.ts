import { join } from 'node:path';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { type CopyStore, copyForecast } from '../labels/forecast-copies.ts';
import { sqliteCopies } from '../labels/sqlite-copies.ts';
import { openMongoCopies } from './mongo-copies.ts';

/*
 * Copies a forecast into the stores of all services that hear of it, beside those that work with them. Arguments: `sqlite` and the directory of the
 * files, or `mongo` and the prefix of the databases on the server of MONGODB_URL; the forecast_no and po_number; how many. Prints { count }.
 */

const [kind = '', place = '', forecastNo = '', poNumber = '', count = '0'] = process.argv.slice(2);
const SERVICES = ['forecast', 'file', 'warehouse-intake', 'tracking'];

const openSqlite = (service: string): CopyStore =>
  sqliteCopies(service, new SqliteDatabase(join(place, `${service}.db`), { synchronous: 'normal' }));

const stores = kind === 'sqlite' ? SERVICES.map(openSqlite) : await openMongoCopies(place, SERVICES);
await copyForecast(stores, { forecastNo, poNumber }, Number(count));
await Promise.all(stores.map((store) => store.close()));
process.stdout.write(JSON.stringify({ count: Number(count) }));
