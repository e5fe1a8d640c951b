import type { ChildProcess } from 'node:child_process';

/** Lets a child end at once when this process ends, however that comes about short of SIGKILL. */
export function endWithRun(child: ChildProcess): void {
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
}
