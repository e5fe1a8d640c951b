import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from './artifact.ts';
import { runCommand } from './run-command.ts';

/**
 * A Go program, built from its module. Go checks the module's sum against its checksum database.
 * @param program `version` as Go names it
 * @returns its folder has the program as `name`
 */
export function goProgram({
  name,
  version,
  package: goPackage,
  deadlineMs,
}: {
  name: string;
  version: string;
  package: string;
  deadlineMs: number;
}): Artifact {
  return {
    name: `${name}-${version}`,
    make: async (folder) => {
      const command = ['go', 'install', '-trimpath', '-ldflags=-s -w', `${goPackage}@${version}`];
      await runCommand(command, { deadlineMs, env: { GOBIN: folder, CGO_ENABLED: '0' } });
      // Go names a program after the last part of its package's path.
      const [built = ''] = readdirSync(folder);
      renameSync(join(folder, built), join(folder, name));
    },
  };
}
