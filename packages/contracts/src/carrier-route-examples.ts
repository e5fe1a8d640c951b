import type { CarrierDetection } from './carrier-api.ts';
import type { RouteExample } from './route-example.ts';

const trackingNumber = 'EA123456785CN';
const reason = '13 characters as the Universal Postal Union defines them; the check digit is right; country CN';

const detection: CarrierDetection = {
  tracking_number: trackingNumber,
  candidates: [
    { carrier_code: 'china-ems', carrier_name: 'China EMS', confidence: 'high', reason },
    { carrier_code: 'china-post', carrier_name: 'China Post', confidence: 'medium', reason },
  ],
};

/** Route id → example, of the routes of carriers. */
export const carrierRouteExamples: Readonly<Record<string, RouteExample>> = {
  detectCarriers: { requests: {}, query: { tracking_number: trackingNumber }, data: detection },
};
