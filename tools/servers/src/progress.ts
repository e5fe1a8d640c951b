const started = performance.now();

/** A step that takes longer says so every so many seconds, so that nobody takes it for a hang. */
const STILL_WORKING_MS = 15_000;

/** Writes one line with the seconds since the start. On stderr: stdout belongs to `env` and `status --json`. */
export function say(text: string) {
  process.stderr.write(`[${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s] ${text}\n`);
}

/** Does a step and says how long it took. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(1);
  say(`${name} …`);
  const timer = setInterval(() => say(`${name}: still working, ${seconds()} s`), STILL_WORKING_MS);
  try {
    const result = await work();
    say(`${name}: done in ${seconds()} s`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
