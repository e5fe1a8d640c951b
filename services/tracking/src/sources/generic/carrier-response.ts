import { compileValidator } from '@parcelway/contracts/validator';
import Type, { type Static } from 'typebox';
import { adminStatusOf, UNKNOWN_STATUS } from '../../domain/carrier-status.ts';
import { type CarrierNode, instantOf, MAX_NODES } from '../../domain/node.ts';

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

/** Text as it may be stored and shown: whole characters, and a blank for each run of control characters. */
function clean(text: string | undefined): string {
  return (text ?? '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

function toNode(node: Static<typeof ResponseNode>, trackingNumber: string): CarrierNode {
  return {
    orderNo: clean(node.order_no) || trackingNumber,
    address: clean(node.address),
    content: clean(node.content),
    status: clean(node.status),
    createTime: node.create_time,
    times: node.times,
    adminStatus: adminStatusOf(node.status) ?? UNKNOWN_STATUS,
  };
}

/**
 * The nodes in a carrier's response.
 * @param text body of the response
 * @param onUnknownStatus hears of every status that has no place in the table
 * @throws Error with the reason; a response is accepted as a whole or not at all
 */
export function parseCarrierResponse(text: string, trackingNumber: string, onUnknownStatus: (status: string) => void): CarrierNode[] {
  let response: unknown;
  try {
    response = JSON.parse(text);
  } catch {
    throw new Error('The response is not JSON');
  }
  return readCarrierResponse(response, trackingNumber, onUnknownStatus);
}

/** As {@link parseCarrierResponse}, of a response that was parsed. @throws Error with the reason */
export function readCarrierResponse(response: unknown, trackingNumber: string, onUnknownStatus: (status: string) => void): CarrierNode[] {
  const [wrong] = validator.errors(response);
  if (wrong || !validator.is(response)) throw new Error(`The response does not have the agreed shape: ${wrong?.message}`);
  for (const node of response.nodes) {
    if (instantOf(node.create_time, node.times) === undefined) throw new Error('The response has a node whose time does not exist');
    if (adminStatusOf(node.status) === undefined) onUnknownStatus(clean(node.status));
  }
  return response.nodes.map((node) => toNode(node, trackingNumber));
}
