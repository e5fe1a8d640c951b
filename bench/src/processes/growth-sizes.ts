import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { StoreSize } from '../suites/growth/growth-tables.ts';
import { SERVICES } from '../suites/growth/model.ts';

/* Sizes of the tables in the files of the services. Argument: the directory. Prints a list of StoreSize. */

const [directory = ''] = process.argv.slice(2);

/** Pages of each tree: of the rows, whose tree has the name of the table, and of its indexes. A table without row ids is its own index. */
const TREES = `SELECT s.tbl_name AS tbl, s.type = 'table' AS isTable, sum(d.pgsize) AS bytes
  FROM dbstat d JOIN sqlite_schema s ON s.name = d.name WHERE d.aggregate = TRUE GROUP BY 1, 2`;

const sizes: StoreSize[] = [];
for (const service of SERVICES) {
  const db = new DatabaseSync(join(directory, `${service}.db`), { readOnly: true });
  const rows = db.prepare(TREES).all() as { tbl: string; isTable: number; bytes: number }[];
  for (const tbl of new Set(rows.map((row) => row.tbl))) {
    const bytes = (isTable: number): number => rows.find((row) => row.tbl === tbl && row.isTable === isTable)?.bytes ?? 0;
    sizes.push({ name: `${service}/${tbl}`, data: bytes(1), indexes: bytes(0) });
  }
  db.close();
}
process.stdout.write(JSON.stringify(sizes));
