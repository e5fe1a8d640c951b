import { afterEach } from '@jest/globals';
import { Program } from '@parcelway/harness/program';

/** Starts programs for the tests of a file. One that still runs after its test is killed. */
export function usePrograms(): typeof Program.start {
  const started: Program[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((program) => program.end('SIGKILL')));
  }, 30_000);
  return (...start) => {
    const program = Program.start(...start);
    started.push(program);
    return program;
  };
}
