import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from '@parcelway/tools-servers/artifact';
import { runCommand } from '@parcelway/tools-servers/run-command';

const VERSION = 'v2.40.3';
const MODULE = 'github.com/docker/compose/v2';
const FETCH_DEADLINE_MS = 300_000;
const BUILD_DEADLINE_MS = 30 * 60_000;

/**
 * The compose command of the docker client, built from its module; its folder serves as DOCKER_CONFIG. `go install` does
 * not take a module that excludes versions, so that it is built as a main module.
 */
export const composePlugin: Artifact = {
  name: `docker-compose-${VERSION}`,
  make: async (folder) => {
    const fetched = await runCommand(['go', 'mod', 'download', '-json', `${MODULE}@${VERSION}`], { deadlineMs: FETCH_DEADLINE_MS });
    const source = join(folder, 'source');
    cpSync(JSON.parse(fetched.slice(fetched.indexOf('{'))).Dir, source, { recursive: true });
    await runCommand(['chmod', '-R', 'u+w', source], { deadlineMs: FETCH_DEADLINE_MS });
    mkdirSync(join(folder, 'cli-plugins'));
    const flags = `-s -w -X ${MODULE}/internal.Version=${VERSION}`;
    await runCommand(['go', 'build', '-trimpath', `-ldflags=${flags}`, '-o', join(folder, 'cli-plugins', 'docker-compose'), './cmd'], {
      deadlineMs: BUILD_DEADLINE_MS,
      cwd: source,
      env: { CGO_ENABLED: '0' },
    });
    await runCommand(['rm', '-rf', source], { deadlineMs: FETCH_DEADLINE_MS });
  },
};
