import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';

/** Where a parcel is, for a row. Each server writes it in the codes of its vendor. */
export type ServerStage = 'in transit' | 'out for delivery' | 'delivered';

/** A row that a vendor has of a parcel. */
export interface ServerRow {
  readonly stage: ServerStage;
  /** ISO 8601 with an offset, such as `2026-11-25T08:00:00+08:00`. */
  readonly at: string;
  readonly city?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
}

/** How the server behaves to all calls. */
export type ServerMood =
  | { readonly kind: 'well' }
  /** Responds with this status, and with `Retry-After` in seconds when given. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: number }
  /** Accepts the call and never responds. */
  | { readonly kind: 'hangs' }
  /** Says that the quota of registrations is used up, as the vendor says it. */
  | { readonly kind: 'quota used up' }
  /** Says that the key is wrong, as the vendor says it. */
  | { readonly kind: 'key revoked' };

/** A call that the server has got. */
export interface ServerCall {
  readonly kind: 'register' | 'unregister' | 'query' | 'other';
  /** With the query. */
  readonly path: string;
  readonly numbers: readonly string[];
  /** Epoch milliseconds. */
  readonly at: number;
}

/** How a push is made wrong on purpose. */
export interface PushOptions {
  /** Signs with this secret; default: the connection's. */
  readonly secret?: string;
  /** Sends no signature. */
  readonly isUnsigned?: boolean;
  /** Signs this text, and sends the push. */
  readonly signs?: string;
  /** Rows of the push; default: all rows that the server has. */
  readonly rows?: readonly ServerRow[];
}

/** A push as the vendor would send it. */
export interface SignedPush {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A row in Hamburg, `minutesAgo` minutes ago. */
export function recentRow(stage: ServerStage, minutesAgo: number): ServerRow {
  const at = new Date(Date.now() - minutesAgo * 60_000).toISOString().replace(/\.\d+Z$/, '+00:00');
  return { stage, at, city: 'Hamburg', country: 'DE' };
}

/** A connection of the operator to the server of a source, as `TRACKING_SOURCES` lists it. @param carriers codes of the carriers that it serves */
export function connectionTo(
  { name: source, baseUrl: base_url, credentials }: SourceServer,
  id: string,
  carriers: readonly string[],
): object {
  return { id, source, base_url, carriers, credentials };
}

/** A request of a client. */
export interface VendorRequest {
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  /** Empty when the body is not a JSON object or list. */
  readonly json: Readonly<Record<string, unknown>>;
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
}

/** Parcels by number; one that nobody has reported has no rows. */
export type Parcels = (trackingNumber: string) => VendorParcel;

/** One call of a vendor's API. */
export interface VendorCall {
  readonly kind: ServerCall['kind'];
  /** Numbers of its parcels; default none. A `query` without parcels counts as `other`. */
  readonly numbers?: (request: VendorRequest) => readonly string[];
  respond(request: VendorRequest, parcels: Parcels, numbers: readonly string[]): VendorResponse;
}

/** What distinguishes a vendor. */
export interface Vendor {
  readonly name: string;
  readonly credentials: Readonly<Record<string, string>>;
  /** Path that the vendor's addresses begin with, such as `/v2`; default: none. */
  readonly basePath?: string;
  /** Method and path after {@link basePath} → the call. */
  readonly calls: Readonly<Record<string, VendorCall>>;
  /** True for a request with the right key. */
  isAuthorized(request: VendorRequest): boolean;
  readonly unauthorized: VendorResponse;
  readonly notFound: VendorResponse;
  /** The vendor's response to a registration when the quota is used up; default: it has no quota. */
  quotaUsedUp?(numbers: readonly string[]): VendorResponse;
  /** A push. @returns `proof`: the headers that an unsigned one lacks */
  signPush(
    trackingNumber: string,
    parcel: VendorParcel,
    options: PushOptions,
  ): SignedPush & { readonly proof: Readonly<Record<string, string>> };
}

function jsonOf(text: string): VendorRequest['json'] {
  try {
    const json = JSON.parse(text) as unknown;
    return typeof json === 'object' && json !== null ? (json as VendorRequest['json']) : {};
  } catch {
    return {};
  }
}

/** Starts a server on the loopback address that speaks a vendor's documented wire format. It keeps no limit: tests count its calls. */
export async function startVendorServer(vendor: Vendor) {
  const { name, credentials, basePath = '' } = vendor;
  const routes = new Map(Object.entries(vendor.calls).map(([route, call]) => [route.replace(' ', ` ${basePath}`), call]));
  const calls: ServerCall[] = [];
  const known = new Map<string, VendorParcel>();
  let mood: ServerMood = { kind: 'well' };

  const parcels: Parcels = (number) => {
    const parcel = known.get(number) ?? { rows: [], isRefused: false, reference: undefined };
    known.set(number, parcel);
    return parcel;
  };

  const responseTo = ({ kind, numbers }: ServerCall, incoming: VendorRequest, route: VendorCall | undefined): VendorResponse => {
    if (mood.kind === 'status') {
      return { status: mood.status, json: {}, headers: mood.retryAfter === undefined ? {} : { 'retry-after': String(mood.retryAfter) } };
    }
    if (mood.kind === 'key revoked' || !vendor.isAuthorized(incoming)) return vendor.unauthorized;
    if (mood.kind === 'quota used up' && kind === 'register' && vendor.quotaUsedUp) return vendor.quotaUsedUp(numbers);
    return route?.respond(incoming, parcels, numbers) ?? vendor.notFound;
  };

  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const json = jsonOf(await textOf(message));
    const { method = 'GET', headers } = message;
    const url = new URL(message.url ?? '/', 'http://vendor.invalid');
    const route = routes.get(`${method} ${url.pathname}`);
    const incoming: VendorRequest = { url, headers, json };
    const numbers = route?.numbers?.(incoming) ?? [];
    const isAboutNone = route?.kind === 'query' && numbers.length === 0;
    const kind = route === undefined || isAboutNone ? 'other' : route.kind;
    const call: ServerCall = { kind, numbers, path: url.pathname + url.search, at: Date.now() };
    calls.push(call);
    if (mood.kind === 'hangs') return;
    const { status, headers: more, json: body } = responseTo(call, incoming, route);
    response.writeHead(status, { 'content-type': 'application/json', ...more }).end(body === undefined ? '' : JSON.stringify(body));
  };

  const server = createServer((message, response) => {
    response.on('error', () => undefined);
    handle(message, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    name,
    /** For a connection's `base_url`. */
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`,
    /** For a connection's `credentials`. Any others are refused as the vendor refuses them. */
    credentials,
    /** Every call so far, in the order of arrival. */
    calls: calls as readonly ServerCall[],
    setMood(given: ServerMood): void {
      mood = given;
    },
    /** The vendor hears of a parcel. A number without rows is one that the vendor does not know yet. */
    addRows(number: string, ...rows: readonly ServerRow[]): void {
      parcels(number).rows = [...parcels(number).rows, ...rows];
    },
    /** The vendor refuses the number from now on, in each of its responses. */
    refuse(number: string): void {
      parcels(number).isRefused = true;
    },
    /** A push about the parcel, signed as the vendor signs. */
    signPush(number: string, options: PushOptions = {}): SignedPush {
      const parcel = parcels(number);
      const { body, headers, proof } = vendor.signPush(number, { ...parcel, rows: options.rows ?? parcel.rows }, options);
      return { body, headers: options.isUnsigned === true ? headers : { ...headers, ...proof } };
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type SourceServer = Awaited<ReturnType<typeof startVendorServer>>;
