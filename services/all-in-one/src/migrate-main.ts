import { migrate } from './migrate.ts';

try {
  await migrate(process.env);
  process.exit(0);
} catch (error) {
  process.stderr.write(`Parcelway: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
