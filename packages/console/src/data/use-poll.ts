import { useEffect, useRef } from 'preact/hooks';

/** Milliseconds between two looks at something that is about to change. */
export const POLL_MS = 3000;

/** Calls `look` while `active`, and only while the page is being looked at. @param every milliseconds */
export function usePoll(look: () => void, active: boolean, every = POLL_MS): void {
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, every);
    return () => clearInterval(timer);
  }, [active, every]);
}
