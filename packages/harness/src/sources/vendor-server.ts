import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import type { PushOptions, ServerCall, ServerLimits, ServerMood, ServerRow, SignedPush, SourceServer } from './source-server.ts';

/** A request of a client. */
export interface VendorRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  /** As it came. */
  readonly text: string;
  /** Undefined when the body is no JSON. */
  readonly json: unknown;
}

/** A response of the vendor. */
export interface VendorResponse {
  readonly status: number;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A parcel as the vendor knows it. */
export interface VendorParcel {
  rows: readonly ServerRow[];
  /** Rows of the parcel that had the number before. */
  former: readonly ServerRow[];
  isRefused: boolean;
  /** The vendor's id of it, once it is registered. */
  reference: string | undefined;
  /** How often it was fetched, by the epoch milliseconds. */
  readonly fetches: number[];
}

/** What one vendor's server is made of. */
export interface VendorOptions {
  readonly name: string;
  readonly credentials: Readonly<Record<string, string>>;
  /** Path that the vendor's addresses begin with, such as `/v2`; default: none. */
  readonly basePath?: string;
  /** The vendor's own limits. */
  readonly limits: Required<ServerLimits>;
  /** What alone takes of the quota: while it is used up, other calls get their responses. Default: every call. */
  readonly quotaFor?: ServerCall['kind'];
  /** What a request is about. */
  read(request: VendorRequest): { readonly kind: ServerCall['kind']; readonly numbers: readonly string[] };
  respond(request: VendorRequest, parcels: Parcels): VendorResponse;
  /** The vendor's words for a mood. @param request some vendors say it of each of its numbers */
  refusal(reason: 'throttled' | 'daily limit' | 'quota used up' | 'key revoked', request: VendorRequest): VendorResponse;
  signPush(trackingNumber: string, parcel: VendorParcel, options: PushOptions): SignedPush;
}

/** Parcels by number; one that nobody has reported has no rows. */
export type Parcels = (trackingNumber: string) => VendorParcel;

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;

async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Which limit a call would break. A limit per second holds for each second that slides over the calls, one below 1 for the time that one call takes,
 * such as 5 seconds for 0.2, and 0 allows none; a day begins at 00:00 UTC.
 */
function brokenLimit(
  calls: readonly ServerCall[],
  call: ServerCall,
  limits: Required<ServerLimits>,
): 'throttled' | 'daily limit' | undefined {
  const taken = calls.filter((one) => one !== call && one.kind !== 'token' && one.isBeyondLimit !== true);
  const { requestsPerSecond, callsPerDay } = limits;
  if (requestsPerSecond === 0) return 'throttled';
  const periodMs = SECOND_MS / Math.min(1, requestsPerSecond ?? 1);
  if (requestsPerSecond !== null && taken.filter(({ at }) => call.at - at < periodMs).length >= Math.max(1, requestsPerSecond))
    return 'throttled';
  const today = Math.floor(call.at / DAY_MS);
  if (callsPerDay !== null && taken.filter(({ at }) => Math.floor(at / DAY_MS) === today).length >= callsPerDay) return 'daily limit';
  return undefined;
}

/** True when a parcel of the call was fetched as often in 24 hours as it may be. */
function isFetchedTooOften(call: ServerCall, parcels: Parcels, limit: number | null): boolean {
  if (limit === null || call.kind !== 'query') return false;
  return call.numbers.some((number) => parcels(number).fetches.filter((at) => call.at - at < DAY_MS).length >= limit);
}

/** What a vendor knows, and how it responds. */
interface Vendor {
  readonly calls: ServerCall[];
  readonly known: Map<string, VendorParcel>;
  readonly parcels: Parcels;
  mood: ServerMood;
  limits: Required<ServerLimits>;
  /** Calls before this one do not count for the limits. */
  countedFrom: number;
}

function newVendor(limits: Required<ServerLimits>): Vendor {
  const known = new Map<string, VendorParcel>();
  const parcels: Parcels = (number) => {
    const parcel = known.get(number) ?? { rows: [], former: [], isRefused: false, reference: undefined, fetches: [] };
    known.set(number, parcel);
    return parcel;
  };
  return { calls: [], known, parcels, mood: { kind: 'well' }, limits, countedFrom: 0 };
}

function responseOf(options: VendorOptions, vendor: Vendor, incoming: VendorRequest, call: ServerCall): VendorResponse {
  const { mood, limits, parcels, calls, countedFrom } = vendor;
  if (mood.kind === 'status') {
    return { status: mood.status, json: {}, headers: mood.retryAfter === undefined ? {} : { 'retry-after': String(mood.retryAfter) } };
  }
  const isOfQuota = mood.kind === 'quota used up' && (options.quotaFor ?? call.kind) === call.kind;
  if (isOfQuota || mood.kind === 'key revoked') return options.refusal(mood.kind, incoming);
  const broken = call.kind === 'token' ? undefined : brokenLimit(calls.slice(countedFrom), call, limits);
  if (broken !== undefined || isFetchedTooOften(call, parcels, limits.fetchesPerParcelPerDay)) {
    call.isBeyondLimit = true;
    return options.refusal(broken ?? 'daily limit', incoming);
  }
  if (call.kind === 'query') for (const number of call.numbers) parcels(number).fetches.push(call.at);
  return options.respond(incoming, parcels);
}

async function handle(options: VendorOptions, vendor: Vendor, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await bodyOf(message);
  const method = message.method ?? 'GET';
  const url = new URL(message.url ?? '/', 'http://vendor.invalid');
  const incoming: VendorRequest = { method, url, headers: message.headers, text, json: parse(text) };
  const call: ServerCall = { ...options.read(incoming), method, path: url.pathname + url.search, at: Date.now() };
  vendor.calls.push(call);
  const { mood } = vendor;
  if (mood.kind === 'hangs') return;
  if (mood.kind === 'drops') {
    message.socket.destroy();
    return;
  }
  if (mood.kind === 'slow') await sleep(mood.ms);
  if (mood.kind === 'wrong') {
    call.status = 200;
    response.writeHead(200, { 'content-type': 'application/json' }).end(mood.body);
    return;
  }
  const { status, json, headers } = responseOf(options, vendor, incoming, call);
  call.status = status;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(json === undefined ? '' : JSON.stringify(json));
}

/** What a test does with the vendor. */
function controlsOf(options: VendorOptions, vendor: Vendor): Omit<SourceServer, 'name' | 'baseUrl' | 'credentials' | 'calls' | 'close'> {
  const { parcels } = vendor;
  const signPush = (number: string, more: PushOptions = {}): SignedPush => {
    const parcel = parcels(number);
    return options.signPush(number, { ...parcel, rows: more.rows ?? parcel.rows }, more);
  };
  return {
    setMood(mood) {
      vendor.mood = mood;
    },
    setLimits(limits) {
      vendor.limits = { ...options.limits, ...limits };
      vendor.countedFrom = vendor.calls.length;
      for (const parcel of vendor.known.values()) parcel.fetches.length = 0;
    },
    addRows(number, ...rows) {
      const parcel = parcels(number);
      parcel.rows = [...parcel.rows, ...rows];
    },
    replaceRows(number, ...rows) {
      parcels(number).rows = rows;
    },
    refuse(number) {
      parcels(number).isRefused = true;
    },
    addFormerParcel(number, ...rows) {
      parcels(number).former = rows;
    },
    signPush,
    async push(url, number, more) {
      const { body, headers } = signPush(number, more);
      const response = await request(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
      await response.body.dump();
      return response.statusCode;
    },
  };
}

/** Starts a vendor's server on the loopback address. It keeps the vendor's limits and counts what breaks them. */
export async function startVendorServer(options: VendorOptions): Promise<SourceServer> {
  const vendor = newVendor(options.limits);
  const server = createServer((message, response) => {
    response.on('error', () => undefined);
    handle(options, vendor, message, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    name: options.name,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${options.basePath ?? ''}`,
    credentials: options.credentials,
    calls: vendor.calls,
    ...controlsOf(options, vendor),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
