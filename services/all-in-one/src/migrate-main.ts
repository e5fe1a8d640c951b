import { parseArgs } from 'node:util';
import { migrate } from './migrate.ts';

try {
  const { values } = parseArgs({ options: { sharded: { type: 'boolean', default: false }, partitions: { type: 'string' } } });
  const { sharded, partitions } = values;
  if (partitions !== undefined && !/^\d{1,4}$/.test(partitions)) throw new Error('--partitions must be a whole number');
  await migrate(process.env, { sharded, ...(partitions !== undefined && { partitions: Number(partitions) }) });
  process.exit(0);
} catch (error) {
  process.stderr.write(`Parcelway: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
