import { existsSync, readFileSync } from 'node:fs';

const NEEDED = 1024;
/** Only Linux has it. Node has raised the limit as far as it may. */
const LIMITS = '/proc/self/limits';

/** Ends a process that may open too few files with 1 and a sentence. Called before the services' code is loaded, which opens hundreds of files. */
export function assertDescriptors(): void {
  const [, limit] = /^Max open files\s+(\d+)/m.exec(existsSync(LIMITS) ? readFileSync(LIMITS, 'utf8') : '') ?? [];
  if (limit === undefined || Number(limit) >= NEEDED) return;
  process.stderr.write(
    `Parcelway: this process may open ${limit} files and needs ${NEEDED}. Raise the limit with "ulimit -n ${NEEDED}" or LimitNOFILE=${NEEDED}, and start it again.\n`,
  );
  process.exit(1);
}
