import { fileURLToPath } from 'node:url';
import { type StartedProgram, startProgram } from '../../started-program.ts';

const main = fileURLToPath(new URL('../../../../services/webhook/dist/main.js', import.meta.url));
const hook = new URL('../../processes/profile-hook.js', import.meta.url).href;

/** Starts the webhook service as an operator runs it in distributed mode: a process of its own. With PROFILE_DIR set it writes a CPU profile. */
export function startServiceProcess(env: Readonly<Record<string, string>>): Promise<StartedProgram> {
  const profile = process.env['PROFILE_DIR'];
  const profiling: Readonly<Record<string, string>> =
    profile === undefined ? {} : { NODE_OPTIONS: `--import ${hook}`, PROFILE_DIR: profile, REPLICA_ID: 'webhook' };
  return startProgram([process.execPath, main], {
    name: 'the webhook service',
    env: { ...profiling, ...env },
    isReady: (output) => output.includes('is ready'),
  });
}
