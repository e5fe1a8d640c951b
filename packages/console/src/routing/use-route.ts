import { useEffect, useRef, useState } from 'preact/hooks';
import { hrefOf, noteList, type Route, routeOf } from './route.ts';

interface Place {
  readonly route: Route;
  /** Set while somebody is asked whether to leave a form with entries that are not saved. */
  readonly leaving: Leaving | undefined;
}

export interface Leaving {
  readonly leave: () => void;
  readonly stay: () => void;
}

/** True while the page itself goes somewhere, such as after a submission: nothing is asked. */
let isGuided = false;

/** The number of an entry of the browser's history; undefined for one that is new. */
function entryNumber(): number | undefined {
  const number: unknown = (history.state as { entry?: unknown } | null)?.entry;
  return typeof number === 'number' ? number : undefined;
}

const numberEntry = (entry: number): void => history.replaceState({ entry }, '', location.href);

/** Follows the address; asks before it leaves a form with unsaved entries. @param tenantId undefined while signed out */
export function useRoute(tenantId: string | undefined): Place {
  const [hash, setHash] = useState(location.hash);
  const [leaving, setLeaving] = useState<Leaving>();
  const at = useRef({ entry: 0, hash: location.hash });
  useEffect(() => {
    let isReturning = false;
    const arrive = (): void => {
      const entry = entryNumber() ?? at.current.entry + 1;
      if (entryNumber() === undefined) numberEntry(entry);
      at.current = { entry, hash: location.hash };
      setLeaving(undefined);
      setHash(location.hash);
    };
    const follow = (): void => {
      if (isReturning) {
        isReturning = false;
        return;
      }
      if (location.hash === at.current.hash) return;
      const isAsked = hasUnsaved() && !isGuided;
      isGuided = false;
      if (!isAsked) {
        arrive();
        return;
      }
      // The browser has gone there already. It goes back to the form, and there again for somebody who leaves.
      const steps = (entryNumber() ?? at.current.entry + 1) - at.current.entry;
      isReturning = true;
      history.go(-steps);
      setLeaving({
        stay: () => setLeaving(undefined),
        leave() {
          // The dialog gives the focus back before the next view takes it.
          setLeaving(undefined);
          isGuided = true;
          history.go(steps);
        },
      });
    };
    at.current = { entry: entryNumber() ?? 0, hash: location.hash };
    numberEntry(at.current.entry);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  const route = routeOf(hash);
  useEffect(() => noteList(tenantId, route), [hash, tenantId]);
  return { route, leaving };
}

export function goTo(route: Route): void {
  const hash = hrefOf(route);
  if (hash === location.hash) return;
  isGuided = true;
  location.hash = hash;
}

/** Forms with unsaved entries. */
const forms = new Set<symbol>();
const hasUnsaved = (): boolean => forms.size > 0;

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
