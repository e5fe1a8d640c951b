import { useEffect } from 'preact/hooks';

/** Forms with entries that are not saved. */
const forms = new Set<symbol>();

/** True while some form has entries that are lost when somebody leaves it. */
export const hasUnsaved = (): boolean => forms.size > 0;

/** The browser asks before it closes or reloads the tab. */
function askBefore(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Says whether a form has entries that are not saved. While it has, leaving it is asked about first. */
export function useUnsaved(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const form = Symbol('form');
    forms.add(form);
    if (forms.size === 1) addEventListener('beforeunload', askBefore);
    return () => {
      forms.delete(form);
      if (forms.size === 0) removeEventListener('beforeunload', askBefore);
    };
  }, [active]);
}
