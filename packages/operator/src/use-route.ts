import { useEffect, useState } from 'preact/hooks';
import { hrefOf, type Route, routeOf } from './route.ts';

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const follow = (): void => setHash(location.hash);
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return routeOf(hash);
}

export function goTo(route: Route): void {
  location.hash = hrefOf(route);
}
