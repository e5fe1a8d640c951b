import { useEffect, useRef } from 'preact/hooks';
import { withKey } from '../domain/scan-keys.ts';

/** Takes a scan while a window is open in which nothing that takes text has the focus. @param isOpen true while the window is */
export function useScanOver(isOpen: boolean, onScan: (scan: string) => void): void {
  const latest = useRef(onScan);
  latest.current = onScan;
  useEffect(() => {
    if (!isOpen) return undefined;
    let keys = '';
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.altKey || event.metaKey || document.activeElement?.matches('input, select, textarea')) {
        keys = '';
        return;
      }
      const { typed, scan, taken } = withKey(keys, event.key);
      keys = typed;
      if (taken) event.preventDefault();
      if (scan !== undefined) latest.current(scan);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isOpen]);
}
