import { ApiFailure, dataOf } from './failure.ts';

/** Milliseconds that a call may take, the live question to a carrier included. */
const DEADLINE_MS = 20_000;

export interface Upload {
  readonly content: Blob;
  readonly name: string;
  readonly fields?: Readonly<Record<string, string>>;
}

export interface Download {
  readonly content: Blob;
  readonly name: string;
}

/** Parts of a request; what is undefined is left out. */
export interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: object;
  /** Sent as the form field `file` instead of a body. */
  readonly upload?: Upload;
  /** Makes a repeat of the call return what the first one did. */
  readonly idempotencyKey?: string;
  /** Version that a change is based on; the platform refuses any other with 41201. */
  readonly ifMatch?: string;
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Client {
  /**
   * Calls a path and resolves with `data` of the response.
   * @throws ApiFailure with the code of the response, `offline` or `timeout`
   */
  call<T>(path: string, call?: Call): Promise<T>;
  readonly environment: 'sandbox' | 'production';
}

export interface FileClient extends Client {
  /**
   * Calls a path whose response is a file.
   * @throws ApiFailure as {@link Client.call}
   */
  download(path: string, call?: Call): Promise<Download>;
}

export interface ClientOptions {
  /** Lives in this closure and nowhere else: no storage, no URL, no attribute of the document. */
  readonly key: string;
  /** How the key is sent: default as an API key, for operators as a bearer token. */
  readonly scheme?: 'api-key' | 'bearer';
  readonly base: string;
  /** Called when the key is no longer valid. */
  readonly onRefused: () => void;
  readonly fetch: typeof fetch;
  readonly deadlineMs?: number;
}

/** Fills the parameters of a path, such as `{endpoint_id}`, in order. */
export function pathOf(template: string, ...values: readonly string[]): string {
  let index = 0;
  return template.replace(/\{[a-z_]+\}/g, () => encodeURIComponent(values[index++] ?? ''));
}

function urlOf(base: string, path: string, query: Call['query'] = {}): string {
  const url = new URL(path.replace(/^\//, ''), base);
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  return url.href;
}

function contentOf({ body, upload }: Call): string | FormData | null {
  if (upload === undefined) return body === undefined ? null : JSON.stringify(body);
  const form = new FormData();
  for (const [name, value] of Object.entries(upload.fields ?? {})) form.set(name, value);
  form.set('file', upload.content, upload.name);
  return form;
}

async function exchange<T>(options: ClientOptions, path: string, call: Call, read: (response: Response) => Promise<T>): Promise<T> {
  const { key, base, scheme } = options;
  const deadline = AbortSignal.timeout(call.deadlineMs ?? options.deadlineMs ?? DEADLINE_MS);
  try {
    const response = await options.fetch(urlOf(base, path, call.query), {
      method: call.method ?? 'GET',
      headers: {
        ...(scheme === 'bearer' ? { Authorization: `Bearer ${key}` } : { 'X-Api-Key': key }),
        ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(call.idempotencyKey === undefined ? {} : { 'Idempotency-Key': call.idempotencyKey }),
        ...(call.ifMatch === undefined ? {} : { 'If-Match': call.ifMatch }),
      },
      body: contentOf(call),
      signal: call.signal === undefined ? deadline : AbortSignal.any([deadline, call.signal]),
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
    });
    return await read(response);
  } catch (error) {
    if (error instanceof ApiFailure) throw error;
    if (deadline.aborted) throw new ApiFailure('timeout');
    // The caller that aborted the call ignores its outcome.
    throw new ApiFailure('offline', { detail: (error as Error).message });
  }
}

/** `data` of a response. @throws ApiFailure */
async function readData(response: Response): Promise<unknown> {
  const { headers } = response;
  const text = await response.text();
  return dataOf({ envelope: parsed(text), retryAfter: headers.get('retry-after'), requestId: headers.get('x-request-id') });
}

/** The file of a response. @throws ApiFailure when the response is a failure */
async function readFile(response: Response): Promise<Download> {
  if (!response.ok) {
    await readData(response);
    throw new ApiFailure('unreadable');
  }
  const [, name = ''] = /filename="([^"]*)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return { content: await response.blob(), name };
}

/** The value of a JSON text; undefined when it is not JSON, which {@link dataOf} reports. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function createClient(options: ClientOptions): FileClient {
  const exchanged = async <T>(path: string, call: Call, read: (response: Response) => Promise<T>): Promise<T> => {
    try {
      return await exchange(options, path, call, read);
    } catch (error) {
      if (error instanceof ApiFailure && error.code === '40003') options.onRefused();
      throw error;
    }
  };
  return {
    environment: options.key.startsWith('pf_live_') ? 'production' : 'sandbox',
    call: async <T>(path: string, call: Call = {}): Promise<T> => (await exchanged(path, call, readData)) as T,
    download: (path, call = {}) => exchanged(path, call, readFile),
  };
}

/** A key that names a request, so that its repeat returns what the first one did. */
function newRequestKey(): string {
  // Not randomUUID: a browser has that over HTTPS alone.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Names requests: one with the content of a request that failed is a repeat of it, because its response may have been lost. */
export class RequestKeys {
  #content: string | undefined;
  #key = '';

  /**
   * Sends a request under its key.
   * @param content what distinguishes it from other requests
   * @throws what `request` throws
   */
  async send<T>(content: string, request: (key: string) => Promise<T>): Promise<T> {
    if (content !== this.#content) {
      this.#content = content;
      this.#key = newRequestKey();
    }
    const result = await request(this.#key);
    // What is done is done: the same content again is meant to be done again.
    this.#content = undefined;
    return result;
  }
}
