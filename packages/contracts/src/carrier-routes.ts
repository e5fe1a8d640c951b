import { CarrierDetection, CarrierDetectionQuery } from './carrier-api.ts';
import type { RouteDefinition } from './route.ts';

/** What a merchant asks about carriers. */
export const carrierRoutes: readonly RouteDefinition[] = [
  {
    id: 'detectCarriers',
    method: 'GET',
    path: '/open/v1/carriers/detect',
    service: 'tracking',
    access: 'tenant',
    scopes: ['tracking:read'],
    rateClass: 'tracking',
    tag: 'Carriers',
    summary: 'Detect the carrier of a tracking number',
    description:
      'Names the carriers that may have given the number, by its form and its check digit. No carrier is asked, and nothing is stored. An empty list is no fault: carriers change their numbers without notice.',
    query: CarrierDetectionQuery,
    data: CarrierDetection,
    success: 200,
    errors: ['42201'],
  },
];
