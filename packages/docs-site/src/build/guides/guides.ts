/** A document that is a guide, and what the list of guides says of it. */
export interface Guide {
  /** Last part of its address. */
  readonly name: string;
  /** Its document, from docs/; default the name with `.md`. */
  readonly document?: string;
  readonly lead: string;
  /** True for a long document: each of its sections is a page of its own. */
  readonly isSplit?: boolean;
}

/**
 * The guides that every platform serves at /docs/guides, in the order of their navigation: what merchants and warehouses need.
 * Each is a document of docs/, or the page of a package.
 */
export const guides: readonly Guide[] = [
  { name: 'merchants', lead: 'Submit forecasts, upload files, query weighing and tracking; error codes and limits.', isSplit: true },
  { name: 'webhooks', lead: 'Register an endpoint, verify signatures, response, and replay what was missed.', isSplit: true },
  { name: 'warehouses', lead: 'Report arrivals, weighings, photos and dispatches.', isSplit: true },
  { name: 'station', lead: 'Scan, weigh, photograph and label parcels at a bench, with or without a network.' },
  { name: 'sdk', lead: 'Call the API from Node.js or Python, with types, retries and verified webhooks.' },
  {
    name: 'python',
    document: '../clients/python/README.md',
    lead: 'Call the API from Python, with types, retries and verified webhooks, waiting or with asyncio.',
  },
  { name: 'console', lead: 'See why a webhook failed, send it again, and look up parcels.' },
];

/** Path of the document of a guide, from docs/. */
export const documentOf = ({ name, document = `${name}.md` }: Guide): string => document;
