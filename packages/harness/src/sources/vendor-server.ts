import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { PushOptions, ServerCall, ServerMood, ServerRow, SignedPush, SourceServer } from './source-server.ts';

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

/** Starts a vendor's server on the loopback address. */
export async function startVendorServer(vendor: Vendor): Promise<SourceServer> {
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
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`,
    credentials,
    calls,
    setMood(given) {
      mood = given;
    },
    addRows(number, ...rows) {
      parcels(number).rows = [...parcels(number).rows, ...rows];
    },
    refuse(number) {
      parcels(number).isRefused = true;
    },
    signPush(number, options = {}) {
      const parcel = parcels(number);
      const { body, headers, proof } = vendor.signPush(number, { ...parcel, rows: options.rows ?? parcel.rows }, options);
      return { body, headers: options.isUnsigned === true ? headers : { ...headers, ...proof } };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
