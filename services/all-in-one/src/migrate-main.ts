import { migrate } from './migrate.ts';
import { runMigrateCommand } from './migrate-command.ts';

try {
  await runMigrateCommand(
    process.argv.slice(2),
    (text) => process.stdout.write(text),
    (options) => migrate(process.env, options),
  );
  process.exit(0);
} catch (error) {
  process.stderr.write(`Parcelway: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
