import { runCommand } from '../servers/run-command.mjs';

const DEADLINE_MS = 5 * 60_000;

/**
 * Downloads a Go module into Go's own cache; Go checks its sum against its checksum database.
 * @param {string} module with its version, such as `k8s.io/kubernetes@v1.30.14`
 * @returns {Promise<string>} the folder of its files
 */
export async function downloadGoModule(module) {
  const output = await runCommand(['go', 'mod', 'download', '-json', module], { deadlineMs: DEADLINE_MS });
  const [, folder] = /"Dir": "([^"]+)"/.exec(output) ?? [];
  if (folder === undefined) throw new Error(`go mod download does not say where ${module} is`);
  return folder;
}
