import { useEffect, useRef } from 'preact/hooks';

/** Milliseconds between two looks at something that is about to change. */
export const POLL_MS = 3000;

/** Calls `look` every {@link POLL_MS} while `active`, and only while the page is being looked at. */
export function usePoll(look: () => void, active: boolean): void {
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [active]);
}
