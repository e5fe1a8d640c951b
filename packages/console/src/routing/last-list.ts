import { HOME, hrefOf, type Route } from './route.ts';

/** The list of parcels as it was looked at last. */
let latest: Route = HOME;

/** Keeps which parcels are looked for. */
export function noteList(route: Route): void {
  if (route.view === 'parcels') latest = route;
}

/** The way back from a parcel to the list, with the filters that it had. */
export const listHref = (): string => hrefOf(latest);
