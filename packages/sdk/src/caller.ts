import { randomUUID } from 'node:crypto';
import type { ContentStream, ImportUpload, PdfUpload, Upload } from './content.ts';
import { type RouteTypes, routes } from './generated/routes.ts';
import type { CallOptions, CorrectionOptions, ParcelwayOptions } from './options.ts';
import { connectionErrorOf, ParcelwayConnectionError, ParcelwayError } from './parcelway-error.ts';
import { contentStream, readContent, readData, readFailure } from './read-response.ts';
import { mayRepeat, needsKey, type RouteId, sleep, waitBefore } from './retry.ts';
import { type Exchange, type HttpResponse, readBody, type Transport } from './transport.ts';

/** A body with its media type. */
interface EncodedBody {
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A value as the platform reads it in a query: lists with commas. */
const inQuery = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));

/** A path with its parameters in place, and the query; values that are undefined are left out. */
function encodePath(path: string, parameters: Readonly<Record<string, string>> = {}, query: object = {}): string {
  const filled = path.replaceAll(/\{([a-z_]+)\}/g, (_match, name: string) => {
    const value = parameters[name];
    // An empty segment would lead to another route.
    if (typeof value !== 'string' || value === '') throw new TypeError(`${name} must be a string that is not empty`);
    return encodeURIComponent(value);
  });
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]): [string, string] => [name, inQuery(value)])).toString();
  return search === '' ? filled : `${filled}?${search}`;
}

/** A file as a form with the field `file`; those of its options before it. */
async function encodeUpload({
  name,
  content,
  mapping,
  validateOnly,
  urlExpiresIn,
}: Upload & ImportUpload & PdfUpload): Promise<EncodedBody> {
  if (!(content instanceof Uint8Array)) throw new TypeError('content must be bytes: a Buffer or another Uint8Array');
  const form = new FormData();
  if (mapping !== undefined) form.set('mapping', JSON.stringify(mapping));
  if (validateOnly !== undefined) form.set('validate_only', String(validateOnly));
  if (urlExpiresIn !== undefined) form.set('url_expires_in', String(urlExpiresIn));
  form.set('file', new Blob([Buffer.from(content)]), name);
  const encoded = new Response(form);
  return { contentType: encoded.headers.get('content-type') ?? '', bytes: new Uint8Array(await encoded.arrayBuffer()) };
}

/** A value as a JSON body. */
function encodeJson(value: unknown): EncodedBody {
  return { contentType: 'application/json; charset=utf-8', bytes: Buffer.from(JSON.stringify(value)) };
}

/** What a route needs: those of path, query and body that it has. */
export type CallParts<I extends RouteId> = {
  readonly [K in 'path' | 'query' | 'body' as RouteTypes[I][K] extends undefined ? never : K]: RouteTypes[I][K];
};

/** How a client calls. */
export interface CallerOptions extends Required<Pick<ParcelwayOptions, 'timeoutMs' | 'maxRetries' | 'apiKey'>> {
  readonly baseUrl: string;
  readonly userAgent: string;
}

/** An attempt gets no more than this of the call's time, so that a response which never comes leaves some for another. */
const ATTEMPT_MS = 30_000;

/** What a response may be, by what the route gives. */
const accepted = { json: 'application/json', file: '*/*', table: 'text/csv' };

interface Prepared {
  readonly id: RouteId;
  readonly method: string;
  readonly url: URL;
  readonly body: EncodedBody | undefined;
  /** The same for every attempt. */
  readonly key: string | undefined;
  readonly ifVersion: number | undefined;
}

/** Calls routes: encodes, sends, tries again, reads. */
export class Caller {
  readonly #settings: CallerOptions;
  readonly #transport: Transport;

  constructor(settings: CallerOptions, transport: Transport) {
    this.#settings = settings;
    this.#transport = transport;
  }

  /**
   * Calls a route.
   * @param origin where it is called instead of the client's base URL; only for files, which need no key
   * @returns `data` of the response, or the file
   * @throws ParcelwayError, or the reason of the signal
   */
  async call<I extends RouteId>(
    id: I,
    parts: CallParts<I>,
    options: CorrectionOptions = {},
    origin?: string,
  ): Promise<RouteTypes[I]['data']> {
    const prepared = await this.#prepare(id, parts, options, origin);
    return this.#tryUntilDone(prepared, options, async (ms) => {
      const response = await this.#attempt(prepared, ms, options.signal, (exchange) => this.#transport.send(exchange));
      const result = routes[id].gives === 'file' ? readContent(response) : readData(response);
      return { response, result: result as RouteTypes[I]['data'] };
    });
  }

  /**
   * Calls a route whose response comes as it is made, and resolves once it has begun. Until then it does what {@link call} does.
   * @throws as {@link call}
   */
  async open<I extends RouteId>(id: I, parts: CallParts<I>, options: CallOptions = {}): Promise<ContentStream> {
    const prepared = await this.#prepare(id, parts, options);
    return this.#tryUntilDone(prepared, options, async (ms) => {
      const ended = new AbortController();
      const response = await this.#attempt(prepared, ms, options.signal, async ({ signal, ...exchange }) => {
        const stop = (): void => ended.abort();
        signal.addEventListener('abort', stop, { once: true });
        const opened = await this.#transport.open({ ...exchange, signal: ended.signal });
        if (opened.status === 200) {
          // From now on the deadline of the attempt ends nothing.
          signal.removeEventListener('abort', stop);
          return opened;
        }
        throw readFailure({ ...opened, body: await readBody(opened.body) });
      });
      return { response, result: contentStream(response.body, prepared.url.origin, ended, options.signal) };
    });
  }

  async #prepare<I extends RouteId>(id: I, parts: CallParts<I>, options: CorrectionOptions, origin?: string): Promise<Prepared> {
    const { path, query, body } = parts as { path?: Record<string, string>; query?: object; body?: unknown };
    const route = routes[id];
    if (options.idempotencyKey !== undefined && !route.takesKey) throw new TypeError(`${id} does not accept an idempotencyKey`);
    return {
      id,
      method: route.method,
      url: new URL(`${origin ?? this.#settings.baseUrl}${encodePath(route.path, path, query)}`),
      body: body === undefined ? undefined : route.takesFile ? await encodeUpload(body as Upload) : encodeJson(body),
      key: options.idempotencyKey ?? (needsKey(id) ? randomUUID() : undefined),
      ifVersion: options.ifVersion,
    };
  }

  async #tryUntilDone<T>(
    prepared: Prepared,
    options: CorrectionOptions,
    attemptOnce: (ms: number) => Promise<{ readonly response: Omit<HttpResponse, 'body'>; readonly result: T }>,
  ): Promise<T> {
    const { timeoutMs = this.#settings.timeoutMs, maxRetries = this.#settings.maxRetries, signal } = options;
    const end = Date.now() + timeoutMs;
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      try {
        const { response, result } = await attemptOnce(Math.min(ATTEMPT_MS, end - Date.now()));
        const { status: httpStatus, headers } = response;
        options.onResponse?.({ requestId: headers['x-request-id'] ?? null, httpStatus, headers, attempts: attempt });
        return result;
      } catch (error) {
        if (!(error instanceof ParcelwayError) || attempt > maxRetries || !mayRepeat(prepared.id, error)) throw error;
        const waitMs = waitBefore(attempt, error, Math.random());
        // There is no sense in a wait that uses up the time: the caller hears of the failure now.
        if (Date.now() + waitMs >= end) throw error;
        options.onRetry?.({ error, waitMs, attempt });
        await sleep(waitMs, signal);
      }
    }
  }

  async #attempt<T>(
    { id, method, url, body, key, ifVersion }: Prepared,
    ms: number,
    signal: AbortSignal | undefined,
    send: (exchange: Exchange) => Promise<T>,
  ): Promise<T> {
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    const timer = setTimeout(stop, Math.max(0, ms));
    signal?.addEventListener('abort', stop, { once: true });
    const { apiKey, userAgent } = this.#settings;
    const { gives, isPublic } = routes[id];
    const headers = {
      accept: accepted[gives],
      'user-agent': userAgent,
      ...(isPublic ? {} : { 'x-api-key': apiKey }),
      ...(body ? { 'content-type': body.contentType } : {}),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(ifVersion === undefined ? {} : { 'if-match': `"${ifVersion}"` }),
    };
    try {
      return await send({ method, url, headers, signal: controller.signal, ...(body ? { body: body.bytes } : {}) });
    } catch (error) {
      if (error instanceof ParcelwayError) throw error;
      if (signal?.aborted) throw signal.reason;
      if (!controller.signal.aborted) throw connectionErrorOf(error, url.origin);
      throw new ParcelwayConnectionError(
        'timeout',
        `${url.origin} did not send a complete response to ${id} within ${Math.round(ms / 100) / 10} s`,
        error,
      );
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    }
  }
}
