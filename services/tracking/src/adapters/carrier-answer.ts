import { compileValidator } from '@parcelway/contracts/validator';
import Type, { type Static } from 'typebox';
import { adminStatusOf, UNKNOWN_STATUS } from '../domain/carrier-status.ts';
import { type CarrierNode, instantOf, MAX_NODES } from '../domain/node.ts';

const words = (maxLength: number) => Type.Optional(Type.String({ maxLength }));

/** A node as a carrier's interface tells it. */
const AnsweredNode = Type.Object({
  order_no: words(100),
  address: words(500),
  content: words(2000),
  status: Type.String({ minLength: 1, maxLength: 200 }),
  create_time: Type.String({ maxLength: 19 }),
  times: Type.String({ maxLength: 11 }),
});

/** The answer of a carrier's interface: the parcel's nodes, beginning with the oldest or with the newest. */
const CarrierAnswer = Type.Object({ nodes: Type.Array(AnsweredNode, { maxItems: MAX_NODES }) });

const validator = compileValidator(CarrierAnswer);

/** Text as it may be stored and shown: whole characters, and a blank for each run of control characters. */
function clean(text: string | undefined): string {
  return (text ?? '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

function toNode(node: Static<typeof AnsweredNode>, trackingNumber: string): CarrierNode {
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
 * The nodes in a carrier's answer.
 * @param text body of the answer
 * @param onUnknownStatus hears of every status that has no place in the table
 * @throws Error saying what is wrong; an answer is taken as a whole or not at all
 */
export function parseCarrierAnswer(text: string, trackingNumber: string, onUnknownStatus: (status: string) => void): CarrierNode[] {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new Error('The answer is not JSON');
  }
  const [wrong] = validator.errors(answer);
  if (wrong || !validator.is(answer)) throw new Error(`The answer does not have the agreed shape: ${wrong?.message}`);
  for (const node of answer.nodes) {
    if (instantOf(node.create_time, node.times) === undefined) throw new Error('The answer has a node whose time does not exist');
    if (adminStatusOf(node.status) === undefined) onUnknownStatus(clean(node.status));
  }
  return answer.nodes.map((node) => toNode(node, trackingNumber));
}
