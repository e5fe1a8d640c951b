import type { QueryResult, SourceClient, TrackingSource } from '../source.ts';
import { callSource, refusalOf } from '../source-http.ts';
import { SourceRefusal } from '../source-refusal.ts';
import { readCarrierResponse } from './carrier-response.ts';

const URL_WITH_NUMBER = /^https?:\/\/[^{}\s]+\{tracking_number\}[^{}\s]*$/;

/** Registers nothing: the interface knows no such call. */
const registersNothing = (): Promise<never> => Promise.reject(new SourceRefusal('wrong response', 'generic: there is no registration'));

function clientOf(query: (trackingNumber: string, signal: AbortSignal) => Promise<QueryResult>): SourceClient {
  return {
    register: registersNothing,
    unregister: async () => undefined,
    query: async (parcels, signal) => Promise.all(parcels.map(({ trackingNumber }) => query(trackingNumber, signal))),
    async test(signal) {
      await query('TEST', signal);
    },
  };
}

/**
 * The interface that CARRIERS describes, too: `GET` of the url with the number in the place of `{tracking_number}`, the token as a bearer token;
 * 200 with `{"nodes":[…]}`, or 404 with a JSON body for a number that is not known yet. Its words alone say what they mean.
 */
export const sourceGeneric: TrackingSource = {
  name: 'generic',
  baseUrl: '',
  credentials: { required: ['url'], optional: ['token'] },
  faultOf: ({ url }) =>
    URL_WITH_NUMBER.test(url ?? '')
      ? undefined
      : {
          field: 'credentials.url',
          rule: 'format',
          message: 'credentials.url must be an http(s) address with {tracking_number} after the host',
        },
  limits: { requestsPerSecond: null, numbersPerQuery: 1, numbersPerRegistration: 1, callsPerDay: null, fetchesPerParcelPerDay: null },
  needs: [],
  registersFor: null,
  freshForMs: 0,
  pushes: null,
  connect({ credentials, dispatcher }) {
    const { url = '', token } = credentials;
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return clientOf(async (trackingNumber, signal) => {
      const address = url.replaceAll('{tracking_number}', encodeURIComponent(trackingNumber));
      const response = await callSource(dispatcher, { method: 'GET', url: address, headers, signal });
      // A missing page in HTML means a wrong address, not a parcel that the carrier has yet to see.
      if (response.status === 404 && response.json !== undefined) return { kind: 'no news' };
      if (response.status !== 200) throw refusalOf(response, 'generic');
      return { kind: 'trace', raw: response.json };
    });
  },
  translate(raw, { trackingNumber }) {
    const unknown = new Set<string>();
    const nodes = readCarrierResponse(raw, trackingNumber, (status) => unknown.add(status));
    return { nodes: nodes.map((node) => ({ ...node, zoneBasis: 'given' })), undated: [], unknownCodes: [...unknown], leftOut: [] };
  },
};
