import { encodeEvent } from '@parcelway/contracts/encode-event';
import type { Environment } from '@parcelway/contracts/environment';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { withOutbox } from '@parcelway/mongo/mongo-outbox';
import { MAX_NODES, nodeDigest } from '../domain/node.ts';
import {
  type ChangeOrigin,
  changeOf,
  type Shipment,
  type StatusChange,
  trackingChanged,
  type WatchEffect,
  watchAfter,
} from '../domain/shipment.ts';
import type { NodeRecorder, RecordOutcome } from '../ports.ts';
import { parcelId, toNodeFields, toShipment } from './mongo-documents.ts';
import { LOST, retryLost } from './mongo-revision.ts';
import { type HistoryNode, type NodeFields, type ParcelDocument, parcels, type ShipmentFields } from './mongo-schema.ts';

/** What a record is decided by; the words of the history stay where they are. */
const DECIDING = {
  tenant_id: 1,
  forecast_no: 1,
  po_number: 1,
  revision: 1,
  shipment: 1,
  nodes_seen: 1,
  'nodes.digest': 1,
  'nodes.instant': 1,
  'nodes.admin_status': 1,
} as const;

type KnownNode = Pick<HistoryNode, 'digest' | 'instant' | 'admin_status'>;
type Deciding = Omit<ParcelDocument, 'nodes'> & { readonly nodes?: readonly KnownNode[] };
type ToldNode = NodeFields & Pick<HistoryNode, 'digest'>;

/**
 * Writes what carriers tell into MongoDB.
 *
 * Crashes and races: nodes, told status and event are one write of one document, on condition that it still has the
 * revision that they were decided by. So a crash leaves nothing half done: either all of it is there, or the next poll
 * brings the same nodes again. Of several processes with the same news one writes; the others read again and find
 * nothing new. So does a process that lost the acknowledgement of its write.
 */
export function createMongoNodeRecorder(db: MongoDatabase, environment: Environment): NodeRecorder {
  const model = db.model(parcels);

  const attempt = async (asked: Shipment, told: readonly ToldNode[], origin: ChangeOrigin): Promise<RecordOutcome | typeof LOST> => {
    const _id = parcelId(asked);
    const { now } = origin;
    const parcel = await model.findOne({ _id }, DECIDING).lean<Deciding>();
    const { shipment, nodes = [], nodes_seen = 0 } = parcel ?? {};
    const added = shipment?.watch === asked.watch ? withPlaces(missingOf(nodes, told), nodes_seen) : [];
    if (!parcel || !shipment || added.length === 0) return unchanged(shipment);
    const change = changeOf(shipment.published_status, newestStatus(nodes, added));
    const event = change ? [encodeEvent(trackingChanged(toShipment(parcel, shipment), change, origin))] : [];
    const state = recordUpdate(added, change, change && watchAfter(change, shipment.wakes !== asked.wakes), now);
    const update = withOutbox(state, event, now);
    const { matchedCount } = await model.updateOne({ _id, revision: parcel.revision }, update);
    if (matchedCount === 0) return LOST;
    return change ? { change, latestStatus: change.current } : unchanged(shipment);
  };

  return {
    async record(shipment, nodes, now, traceparent) {
      const told = nodes.map((node) => ({ ...toNodeFields(node), digest: nodeDigest(node) }));
      return db.run(() => retryLost(() => attempt(shipment, told, { environment, now, traceparent })));
    },
  };
}

/** What was told last is the newest: every change of the newest is told in the write that makes it. */
function unchanged(shipment: ShipmentFields | undefined): RecordOutcome {
  return { change: undefined, latestStatus: shipment?.published_status ?? '' };
}

/** What of a carrier's answer the history lacks. What a full history has already dropped stays dropped. */
function missingOf(known: readonly KnownNode[], told: readonly ToldNode[]): readonly ToldNode[] {
  const digests = new Set(known.map(({ digest }) => digest));
  const from = known.length < MAX_NODES ? undefined : known[0]?.instant;
  const missing = new Map<string, ToldNode>();
  for (const node of told) {
    const isDropped = from !== undefined && node.instant < from;
    if (!isDropped && !digests.has(node.digest) && !missing.has(node.digest)) missing.set(node.digest, node);
  }
  return [...missing.values()];
}

function withPlaces(nodes: readonly ToldNode[], seen: number): readonly HistoryNode[] {
  return nodes.map((node, index) => ({ ...node, seq: seen + 1 + index }));
}

/** @param known oldest first */
function newestStatus(
  known: readonly KnownNode[],
  added: readonly HistoryNode[],
): { readonly adminStatus: KnownNode['admin_status'] } | undefined {
  let newest: KnownNode | undefined = known.at(-1);
  for (const node of added) if (!newest || node.instant >= newest.instant) newest = node;
  return newest && { adminStatus: newest.admin_status };
}

function recordUpdate(added: readonly HistoryNode[], change: StatusChange | undefined, effect: WatchEffect | undefined, now: number) {
  return {
    $set: { 'shipment.last_change_at': now, ...(change && { 'shipment.published_status': change.current }) },
    $inc: { revision: 1, nodes_seen: added.length, ...(effect === 'resumes' && { 'shipment.wakes': 1 }) },
    $push: { nodes: { $each: added, $sort: { instant: 1, seq: 1 }, $slice: -MAX_NODES } },
    ...(effect === 'ends' && { $unset: { 'shipment.next_poll_at': '' } }),
    ...(effect === 'resumes' && { $min: { 'shipment.next_poll_at': now } }),
  };
}
