import { type RouteDefinition, routesWith } from './route.ts';
import {
  EventOutcome,
  ResolutionResult,
  UnclaimedClaim,
  UnclaimedDismissal,
  WaitingEventList,
  WaitingEventQuery,
} from './unclaimed-api.ts';

const route = routesWith({ service: 'warehouse-intake', access: 'warehouse', scopes: ['warehouse:read'], tag: 'Warehouse intake' });

/** What a warehouse sees of its reports afterwards, and does with those that wait. */
export const unclaimedRoutes: readonly RouteDefinition[] = [
  route({
    id: 'getEventOutcome',
    path: '/warehouse/v1/events/{event_id}',
    summary: 'Read the outcome of an event',
    description: 'Applied, waiting, dismissed or rejected. The newest 10,000 rejected reports of a warehouse are kept for 7 days.',
    data: EventOutcome,
  }),
  route({
    id: 'listUnclaimed',
    path: '/warehouse/v1/unclaimed',
    summary: 'List unclaimed parcels',
    description: 'Events of this warehouse that wait for their forecast, oldest first, in pages.',
    query: WaitingEventQuery,
    data: WaitingEventList,
  }),
  route({
    id: 'claimUnclaimed',
    method: 'POST',
    path: '/warehouse/v1/unclaimed/{id}/claim',
    scopes: ['warehouse:write'],
    summary: 'Claim an unclaimed parcel for a forecast',
    description:
      'All waiting events of this warehouse with the same number are applied to the forecast, in the order in which they occurred. Later events with this number are applied to it too. The forecast need not declare the number. The barcode or SKU of a product cannot be claimed, because it names no parcel: 40902.',
    body: UnclaimedClaim,
    data: ResolutionResult,
    repeat: 'Returns the first result; another forecast, or a dismissal, is 40902.',
    idempotencyKey: true,
    errors: ['40902'],
  }),
  route({
    id: 'dismissUnclaimed',
    method: 'POST',
    path: '/warehouse/v1/unclaimed/{id}/dismiss',
    scopes: ['warehouse:write'],
    summary: 'Dismiss an unclaimed parcel',
    description: 'All waiting events of this warehouse with the same number are dismissed. Later events with this number wait again.',
    body: UnclaimedDismissal,
    data: ResolutionResult,
    repeat: 'Returns the first result; another reason, or a claim, is 40902.',
    idempotencyKey: true,
    errors: ['40902'],
  }),
];
