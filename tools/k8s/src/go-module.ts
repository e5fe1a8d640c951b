import { runCommand } from '@parcelway/tools-servers/run-command';

const DEADLINE_MS = 5 * 60_000;

/**
 * Downloads a Go module into Go's own cache; Go checks its sum against its checksum database.
 * @param module with its version, such as `k8s.io/kubernetes@v1.30.14`
 * @returns the folder of its files
 */
export async function downloadGoModule(module: string): Promise<string> {
  const output = await runCommand(['go', 'mod', 'download', '-json', module], { deadlineMs: DEADLINE_MS });
  const [, folder] = /"Dir": "([^"]+)"/.exec(output) ?? [];
  if (folder === undefined) throw new Error(`go mod download does not say where ${module} is`);
  return folder;
}
