import { isReady } from './own-readiness.ts';

try {
  process.exitCode = (await isReady(process.env)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
