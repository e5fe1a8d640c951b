const started = performance.now();

/** Writes one line with the seconds since the start. On stderr: stdout belongs to `env` and `status --json`. */
export function say(text: string) {
  process.stderr.write(`[${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s] ${text}\n`);
}

/** Does a step, and says so before and after it. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  say(`${name} …`);
  const result = await work();
  say(`${name}: done`);
  return result;
}
