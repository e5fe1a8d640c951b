import { compileValidator } from '@parcelway/contracts/validator';
import Type from 'typebox';
import { adminStatusOf, UNKNOWN_STATUS } from '../../watch/domain/carrier-status.ts';
import { instantOf, MAX_NODES } from '../../watch/domain/node.ts';
import { cleanText } from '../fields.ts';
import { NO_LIMITS, NO_REGISTRATION, type QueryResult, type SourceRun, type TrackingSource } from '../source.ts';
import { oneByOne, refusalOf } from '../source-http.ts';
import type { TraceNode } from '../trace.ts';

const words = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

/** A node in a carrier's response. */
const ResponseNode = Type.Object({
  order_no: words(100),
  address: words(500),
  content: words(2000),
  status: Type.String({ minLength: 1, maxLength: 200 }),
  create_time: Type.String({ maxLength: 19 }),
  times: Type.String({ maxLength: 11 }),
});

/** The response of a carrier's interface: the parcel's nodes, beginning with the oldest or with the newest. */
const CarrierResponseBody = Type.Object({ nodes: Type.Array(ResponseNode, { maxItems: MAX_NODES }) });

const validator = compileValidator(CarrierResponseBody);

async function queryOne({ credentials: { url = '', token }, call }: SourceRun, trackingNumber: string): Promise<QueryResult> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await call({ method: 'GET', path: url.replaceAll('{tracking_number}', encodeURIComponent(trackingNumber)), headers });
  // A missing page in HTML means a wrong address, not a parcel that the carrier has yet to see.
  if (response.status === 404 && response.json !== undefined) return { kind: 'no news' };
  if (response.status !== 200) throw refusalOf(response, 'generic');
  return { kind: 'trace', raw: response.json };
}

const URL_WITH_NUMBER = /^https?:\/\/[^{}\s]+\{tracking_number\}[^{}\s]*$/;

/**
 * An interface of the operator's own (docs/sources/generic.md): `GET` of the url with the number in the place of `{tracking_number}`, the token as a bearer token;
 * 200 with `{"nodes":[…]}`, or 404 with a JSON body for a number that is not known yet. Its words alone say what they mean.
 */
export const sourceGeneric: TrackingSource = {
  ...NO_REGISTRATION,
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
  limits: NO_LIMITS,
  registersFor: null,
  freshForMs: 0,
  pushes: null,
  query: (run, parcels) => oneByOne(parcels, ({ trackingNumber }) => queryOne(run, trackingNumber)),
  async test(run) {
    await queryOne(run, 'TEST');
  },
  /** A response is accepted as a whole or not at all. */
  translate(raw, { trackingNumber }) {
    const [wrong] = validator.errors(raw);
    if (wrong || !validator.is(raw)) throw new Error(`The response does not have the agreed shape: ${wrong?.message}`);
    const unknown = new Set<string>();
    const nodes = raw.nodes.map((node): TraceNode => {
      const { create_time: createTime, times } = node;
      if (instantOf(createTime, times) === undefined) throw new Error('The response has a node whose time does not exist');
      const status = cleanText(node.status, 200);
      const adminStatus = adminStatusOf(node.status);
      if (adminStatus === undefined) unknown.add(status);
      return {
        orderNo: cleanText(node.order_no, 100) || trackingNumber,
        address: cleanText(node.address, 500),
        content: cleanText(node.content, 2000),
        status,
        adminStatus: adminStatus ?? UNKNOWN_STATUS,
        createTime,
        times,
        zoneBasis: 'given',
      };
    });
    return { nodes, unknownCodes: [...unknown], leftOut: 0 };
  },
};
