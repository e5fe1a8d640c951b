import { fileURLToPath } from 'node:url';
import { type StartedProgram, startProgram } from '../../started-program.ts';

const main = fileURLToPath(new URL('../../../../services/webhook/dist/main.js', import.meta.url));

/** Starts the webhook service in distributed mode, as a separate process. */
export const startServiceProcess = (env: Readonly<Record<string, string>>): Promise<StartedProgram> =>
  startProgram([process.execPath, main], { name: 'the webhook service', env, isReady: (output) => output.includes('is ready') });
