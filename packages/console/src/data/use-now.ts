import { useEffect, useState } from 'preact/hooks';

const listeners = new Set<(now: number) => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for every time on the page, however many there are. */
function follow(listener: (now: number) => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    const now = Date.now();
    for (const each of listeners) each(now);
  }, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time now, epoch milliseconds, every second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => follow(setNow), []);
  return now;
}
