import { makeSecrets } from './secret-set.ts';

/* The first step of docker compose: what the services share, as files in SECRETS_DIR. */

try {
  const directory = process.env['SECRETS_DIR'];
  if (!directory) throw new Error('SECRETS_DIR must name the folder for the secrets');
  const written = makeSecrets(directory, process.env);
  process.stdout.write(`  secrets in ${directory}: ${written.length === 0 ? 'in place' : `wrote ${written.join(', ')}`}\n`);
} catch (error) {
  process.stderr.write(`Parcelway: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
