import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { request } from 'undici';
import type { PushOptions, ServerCall, ServerLimits, ServerMood, ServerRow, SignedPush, SourceServer } from './source-server.ts';

/** A request of a client. */
export interface VendorRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  /** As it came. */
  readonly text: string;
  /** Empty when the body is not a JSON object or list. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Parameter of the path. */
  readonly id: string;
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
  isRefused: boolean;
  /** The vendor's id of it, once it is registered. */
  reference: string | undefined;
  /** How often it was fetched, by the epoch milliseconds. */
  readonly fetches: number[];
}

/** Parcels by number; one that nobody has reported has no rows. */
export type Parcels = (trackingNumber: string) => VendorParcel;

/** One call of a vendor's API. */
export interface VendorCall {
  readonly kind: ServerCall['kind'];
  /** Numbers of its parcels; default none. A `query` without parcels counts as `other`. */
  readonly numbers?: (request: VendorRequest, parcels: ReadonlyMap<string, VendorParcel>) => readonly string[];
  respond(request: VendorRequest, parcels: Parcels, numbers: readonly string[]): VendorResponse;
}

/** What distinguishes a vendor. */
export interface Vendor {
  readonly name: string;
  readonly credentials: Readonly<Record<string, string>>;
  /** Path that the vendor's addresses begin with, such as `/v2`; default: none. */
  readonly basePath?: string;
  /** The vendor's own limits; default: none. */
  readonly limits?: ServerLimits;
  /** The only kind of call that uses the quota: other calls succeed when it is used up. Default: every call. */
  readonly quotaFor?: ServerCall['kind'];
  /** Method and path after {@link basePath}, with `{id}` for its parameter → the call. */
  readonly calls: Readonly<Record<string, VendorCall>>;
  /** Refusal of a request with a wrong key; undefined when the key is right. */
  authorize(request: VendorRequest): VendorResponse | undefined;
  readonly notFound: VendorResponse;
  /** The vendor's response to a refused call. @param numbers that some vendors list */
  refusal(reason: 'throttled' | 'daily limit' | 'quota used up' | 'key revoked', numbers: readonly string[]): VendorResponse;
  /** A push. @returns `proof`: the headers that an unsigned one lacks */
  signPush(
    trackingNumber: string,
    parcel: VendorParcel,
    options: PushOptions,
  ): SignedPush & { readonly proof: Readonly<Record<string, string>> };
}

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
const PUSH_WITHIN_MS = 60_000;
const NO_LIMITS: Required<ServerLimits> = { requestsPerSecond: null, callsPerDay: null, fetchesPerParcelPerDay: null };

function jsonOf(text: string): VendorRequest['json'] {
  try {
    const json = JSON.parse(text) as unknown;
    return typeof json === 'object' && json !== null ? (json as VendorRequest['json']) : {};
  } catch {
    return {};
  }
}

/** What a vendor knows, and how it responds. */
class VendorState {
  readonly calls: ServerCall[] = [];
  mood: ServerMood = { kind: 'well' };
  limits: Required<ServerLimits>;
  /** Calls before this one do not count for the limits. */
  countedFrom = 0;
  readonly known = new Map<string, VendorParcel>();
  readonly #vendor: Vendor;
  readonly #routes: readonly (readonly [RegExp, VendorCall])[];

  constructor(vendor: Vendor) {
    this.#vendor = vendor;
    this.limits = { ...NO_LIMITS, ...vendor.limits };
    this.#routes = Object.entries(vendor.calls).map(([route, call]) => {
      const [method, path = ''] = route.split(' ');
      return [new RegExp(`^${method} ${(vendor.basePath ?? '') + path.replace('{id}', '([^/]*)')}$`), call] as const;
    });
  }

  readonly parcels: Parcels = (number) => {
    const parcel = this.known.get(number) ?? { rows: [], isRefused: false, reference: undefined, fetches: [] };
    this.known.set(number, parcel);
    return parcel;
  };

  async handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await textOf(message);
    const { method = 'GET', headers } = message;
    const url = new URL(message.url ?? '/', 'http://vendor.invalid');
    const [route, id = ''] = this.#routes.flatMap(([pattern, call]) => {
      const match = pattern.exec(`${method} ${url.pathname}`);
      return match === null ? [] : [call, match[1] ?? ''];
    }) as [VendorCall?, string?];
    const incoming: VendorRequest = { method, url, headers, text, json: jsonOf(text), id };
    const numbers = route?.numbers?.(incoming, this.known) ?? [];
    const isAboutNone = route?.kind === 'query' && numbers.length === 0;
    const kind = route === undefined || isAboutNone ? 'other' : route.kind;
    const call: ServerCall = { kind, numbers, method, path: url.pathname + url.search, at: Date.now() };
    this.calls.push(call);
    if (this.mood.kind === 'hangs') return;
    const { status, headers: more, json } = this.#responseTo(call, incoming, route);
    call.status = status;
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(json === undefined ? '' : JSON.stringify(json));
  }

  #responseTo(call: ServerCall, incoming: VendorRequest, route: VendorCall | undefined): VendorResponse {
    const { mood, parcels } = this;
    const vendor = this.#vendor;
    if (mood.kind === 'status') {
      return { status: mood.status, json: {}, headers: mood.retryAfter === undefined ? {} : { 'retry-after': String(mood.retryAfter) } };
    }
    const isOfQuota = mood.kind === 'quota used up' && (vendor.quotaFor ?? call.kind) === call.kind;
    if (isOfQuota || mood.kind === 'key revoked') return vendor.refusal(mood.kind, call.numbers);
    const broken = this.#brokenLimit(call);
    if (broken !== undefined) {
      call.isBeyondLimit = true;
      return vendor.refusal(broken, call.numbers);
    }
    if (call.kind === 'query') for (const number of call.numbers) parcels(number).fetches.push(call.at);
    return vendor.authorize(incoming) ?? route?.respond(incoming, parcels, call.numbers) ?? vendor.notFound;
  }

  /**
   * Which limit a call would break. A limit per second holds for each second that slides over the calls, one below 1 for the time that one call takes,
   * such as 5 seconds for 0.2, and 0 allows none; a day begins at 00:00 UTC, and that of a parcel 24 hours ago.
   */
  #brokenLimit(call: ServerCall): 'throttled' | 'daily limit' | undefined {
    const { requestsPerSecond, callsPerDay, fetchesPerParcelPerDay } = this.limits;
    const taken = this.calls.slice(this.countedFrom).filter((one) => one !== call && one.isBeyondLimit !== true);
    const periodMs = SECOND_MS / Math.min(1, requestsPerSecond || 1);
    const inPeriod = taken.filter(({ at }) => call.at - at < periodMs).length;
    if (requestsPerSecond === 0 || (requestsPerSecond !== null && inPeriod >= Math.max(1, requestsPerSecond))) return 'throttled';
    const today = Math.floor(call.at / DAY_MS);
    if (callsPerDay !== null && taken.filter(({ at }) => Math.floor(at / DAY_MS) === today).length >= callsPerDay) return 'daily limit';
    if (fetchesPerParcelPerDay === null || call.kind !== 'query') return undefined;
    const fetchesOf = (number: string): number => this.parcels(number).fetches.filter((at) => call.at - at < DAY_MS).length;
    return call.numbers.some((number) => fetchesOf(number) >= fetchesPerParcelPerDay) ? 'daily limit' : undefined;
  }
}

/** Starts a vendor's server on the loopback address. It keeps the vendor's limits and counts what breaks them. */
export async function startVendorServer(vendor: Vendor): Promise<SourceServer> {
  const state = new VendorState(vendor);
  const { parcels, calls } = state;
  const server = createServer((message, response) => {
    response.on('error', () => undefined);
    state.handle(message, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const signPush = (number: string, options: PushOptions = {}): SignedPush => {
    const parcel = parcels(number);
    const { body, headers, proof } = vendor.signPush(number, { ...parcel, rows: options.rows ?? parcel.rows }, options);
    return { body, headers: options.isUnsigned === true ? headers : { ...headers, ...proof } };
  };
  return {
    name: vendor.name,
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${vendor.basePath ?? ''}`,
    credentials: vendor.credentials,
    calls,
    setMood(mood) {
      state.mood = mood;
    },
    setLimits(limits) {
      state.limits = { ...NO_LIMITS, ...vendor.limits, ...limits };
      state.countedFrom = calls.length;
      for (const parcel of state.known.values()) parcel.fetches.length = 0;
    },
    addRows(number, ...rows) {
      parcels(number).rows = [...parcels(number).rows, ...rows];
    },
    replaceRows(number, ...rows) {
      parcels(number).rows = rows;
    },
    refuse(number) {
      parcels(number).isRefused = true;
    },
    signPush,
    async push(url, number, options) {
      const { body, headers } = signPush(number, options);
      const response = await request(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
        signal: AbortSignal.timeout(PUSH_WITHIN_MS),
      });
      await response.body.dump();
      return response.statusCode;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
