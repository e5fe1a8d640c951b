/**
 * The guides that every platform serves at /docs/guides, in the order of their navigation: what merchants and warehouses need.
 * Each is a document of docs/.
 */
export const guides = [
  { name: 'merchants', lead: 'Submit forecasts, upload files, query weighing and tracking; error codes and limits.' },
  { name: 'webhooks', lead: 'Register an endpoint, verify signatures, answer, and replay what was missed.' },
  { name: 'warehouses', lead: 'Report arrivals, weighings, photos and dispatches.' },
  { name: 'sdk', lead: 'Call the API from Node.js, with types, retries and verified webhooks.' },
  { name: 'console', lead: 'See why a webhook failed, send it again, and look up parcels.' },
];
