import { TenantMemory } from '../session/tenant-memory.ts';
import { HOME, hrefOf, type Route } from './route.ts';

/** The list of parcels as it was looked at last: a reload, signing out and another tenant forget it. */
const latest = new TenantMemory<Route>();

/** Keeps which parcels a tenant looks for. @param tenantId undefined while nobody is signed in */
export function noteList(tenantId: string | undefined, route: Route): void {
  if (tenantId !== undefined && route.view === 'parcels') latest.keep(tenantId, route);
}

/** The way back from a parcel to the list, with the filters that it had. */
export const listHref = (tenantId: string): string => hrefOf(latest.of(tenantId) ?? HOME);
