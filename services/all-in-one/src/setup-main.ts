import { createLogger } from '@parcelway/platform/logging';
import { initiateReplicaSet } from '@parcelway/platform/replica-set';
import { withSecretFiles } from '@parcelway/platform/secret-files';
import { migrate } from './migrate.ts';

/* For an installation that brings its own MongoDB: makes it a replica set, then does all that the migrate step does. */

try {
  const { MONGODB_INITIATE: member, MONGODB_URL: url = '' } = withSecretFiles(process.env);
  if (member) {
    const made = await initiateReplicaSet(member, url, createLogger('warn'));
    process.stdout.write(`  replica set of ${member}: ${made ? 'made' : 'in place'}\n`);
  }
  await migrate(process.env);
  process.exit(0);
} catch (error) {
  process.stderr.write(`Parcelway: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
