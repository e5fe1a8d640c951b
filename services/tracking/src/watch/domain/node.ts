import { hash } from 'node:crypto';
import type { AdminStatus } from '@parcelway/contracts/admin-status';
import Type, { type Static, type TObject } from 'typebox';

/** Fields of a node, as they are stored. */
export const nodeFields = {
  orderNo: Type.String(),
  address: Type.String(),
  content: Type.String(),
  status: Type.String(),
  /** Local time, `yyyy-MM-dd HH:mm:ss`. */
  createTime: Type.String(),
  /** Zone of `createTime`, such as `(GMT+08:00)`. */
  times: Type.String(),
  adminStatus: Type.Unsafe<AdminStatus>(Type.String()),
  /** Present when nobody knows the zone of `createTime`, and `times` is assumed. */
  timeAssumed: Type.Optional(Type.Literal(true)),
};

/** One entry of a carrier's trace, in the platform's terms. */
export type CarrierNode = Readonly<Static<TObject<typeof nodeFields>>>;

/** Zone of a simulated node that names none. */
export const DEFAULT_TIMES = '(GMT+08:00)';

/** Most nodes that are kept of one parcel and taken from one response of a carrier. */
export const MAX_NODES = 1000;

const MINUTE_MS = 60_000;
/** Civil zones reach from UTC-12 to UTC+14. */
const MIN_OFFSET_MS = -12 * 60 * MINUTE_MS;
const MAX_OFFSET_MS = 14 * 60 * MINUTE_MS;
/** Offsets of the labels seen so far; only of zones that exist, which are some 1,600. */
const knownOffsets = new Map<string, number>();
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/**
 * Offset of a zone label from UTC in milliseconds.
 * @param times such as `(GMT+08:00)`
 * @returns undefined when it names no zone that exists
 */
export function offsetOf(times: string): number | undefined {
  const known = knownOffsets.get(times);
  if (known !== undefined) return known;
  const match = /^\(GMT([+-])(\d{2}):([0-5]\d)\)$/.exec(times);
  if (!match) return undefined;
  const size = (Number(match[2]) * 60 + Number(match[3])) * MINUTE_MS;
  const offset = match[1] === '-' ? 0 - size : size;
  if (offset < MIN_OFFSET_MS || offset > MAX_OFFSET_MS) return undefined;
  knownOffsets.set(times, offset);
  return offset;
}

/**
 * The instant that a local time and its zone name, in epoch milliseconds.
 * @param createTime `yyyy-MM-dd HH:mm:ss`
 * @param times such as `(GMT+08:00)`
 * @returns undefined when that is no time of the calendar, as 30 February or 24:00:00
 */
export function instantOf(createTime: string, times: string): number | undefined {
  const offset = offsetOf(times);
  if (offset === undefined || !LOCAL_TIME.test(createTime)) return undefined;
  const local = Date.parse(`${createTime.slice(0, 10)}T${createTime.slice(11)}Z`);
  // Date.parse takes some days that do not exist, and 24:00:00, for the day after: the day of the month shows it.
  return new Date(local).getUTCDate() === Number(createTime.slice(8, 10)) ? local - offset : undefined;
}

/** An instant (epoch milliseconds) as local time `yyyy-MM-dd HH:mm:ss` at an offset from UTC (milliseconds). */
export function localTime(instant: number, offset: number): string {
  return new Date(instant + offset).toISOString().slice(0, 19).replace('T', ' ');
}

/**
 * A node's instant in epoch milliseconds.
 * @throws Error when its time does not exist: adapters let no such node in
 */
export function nodeInstant(node: Pick<CarrierNode, 'createTime' | 'times'>): number {
  const instant = instantOf(node.createTime, node.times);
  if (instant === undefined) throw new Error(`A node has the time ${node.createTime} ${node.times}, which does not exist`);
  return instant;
}

/** Newest first by instant; nodes of one instant keep their order. */
export function newestFirst<T extends CarrierNode>(nodes: readonly T[]): T[] {
  const dated = nodes.map((node) => ({ node, instant: nodeInstant(node) }));
  return dated.sort((a, b) => b.instant - a.instant).map(({ node }) => node);
}

/** What makes two nodes the same: every field but whether its zone is assumed. */
export function nodeKey(node: CarrierNode): string {
  return JSON.stringify([node.orderNo, node.address, node.content, node.status, node.createTime, node.times, node.adminStatus]);
}

/** {@link nodeKey} in 43 characters, by which a store distinguishes nodes. */
export function nodeDigest(node: CarrierNode): string {
  return hash('sha256', nodeKey(node), 'base64url');
}
