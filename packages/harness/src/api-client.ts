import { Agent, FormData, request } from 'undici';

/** Connections are kept so long, milliseconds. */
const IDLE_MS = 10_000;

/** A response of the API. */
export interface ApiResponse<T = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Envelope. */
  readonly code: string;
  readonly message: string;
  readonly data: T;
  /** The body as it came. */
  readonly text: string;
}

/** A request with its parts. */
export interface Call {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'HEAD' | 'OPTIONS';
  /** JSON; a string or Buffer is sent as it is; a FormData as multipart. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Talks to a platform over HTTPS as an outsider does: one key, no knowledge of the inside. */
export class ApiClient {
  readonly baseUrl: string;
  readonly #agent: Agent;
  readonly #sentAlways: Readonly<Record<string, string>>;
  readonly #headers: Readonly<Record<string, string>>;

  /**
   * @param apiKey null to send none
   * @param ca PEM of the certificate to trust
   * @param headers sent with every request, those for files too: those of a proxy in front of the platform
   */
  constructor(baseUrl: string, apiKey: string | null, ca?: string, headers: Readonly<Record<string, string>> = {}) {
    this.baseUrl = baseUrl;
    // Idle connections end here long before the server ends them: a call on one that the server ends at this moment fails.
    this.#agent = new Agent({ keepAliveMaxTimeout: IDLE_MS, connect: ca === undefined ? {} : { ca }, connections: 64 });
    this.#sentAlways = headers;
    this.#headers = apiKey === null ? headers : { ...headers, 'x-api-key': apiKey };
  }

  /** Sends a request and reads the envelope; `code` is empty when the response is none. */
  async call<T = Record<string, unknown>>(path: string, call: Call = {}): Promise<ApiResponse<T>> {
    const { body } = call;
    const asIs = typeof body === 'string' || Buffer.isBuffer(body) || body instanceof FormData;
    const json = body !== undefined && !asIs;
    const response = await request(path.startsWith('http') ? path : `${this.baseUrl}${path}`, {
      method: call.method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...(json ? { 'content-type': 'application/json; charset=utf-8' } : {}), ...this.#headers, ...call.headers },
      body: body === undefined ? null : asIs ? (body as string | Buffer | FormData) : JSON.stringify(body),
      dispatcher: this.#agent,
      signal: AbortSignal.timeout(20_000),
    });
    const text = await response.body.text();
    let envelope: { code?: string; message?: string; data?: T } = {};
    if (String(response.headers['content-type'] ?? '').startsWith('application/json')) envelope = JSON.parse(text) as typeof envelope;
    return {
      status: response.statusCode,
      headers: response.headers,
      code: envelope.code ?? '',
      message: envelope.message ?? '',
      data: envelope.data as T,
      text,
    };
  }

  /** `data` of a call that has to succeed. @throws Error with the envelope otherwise */
  async expectOk<T = Record<string, unknown>>(path: string, call: Call = {}): Promise<T> {
    const response = await this.call<T>(path, call);
    if (response.code !== '0')
      throw new Error(`${call.method ?? ''} ${path} responded with ${response.status} ${response.text.slice(0, 2000)}`);
    return response.data;
  }

  /** Uploads a file as multipart in the field `file`. */
  upload<T = Record<string, unknown>>(path: string, name: string, content: Uint8Array, type = 'application/pdf'): Promise<ApiResponse<T>> {
    const form = new FormData();
    form.append('file', new Blob([content as Uint8Array<ArrayBuffer>], { type }), name);
    return this.call<T>(path, { method: 'POST', body: form });
  }

  /** Fetches bytes, as a browser does with a file URL: without the key. */
  async fetchBytes(url: string): Promise<{ status: number; headers: ApiResponse['headers']; bytes: Buffer }> {
    const response = await request(url, { headers: this.#sentAlways, dispatcher: this.#agent, signal: AbortSignal.timeout(20_000) });
    return { status: response.statusCode, headers: response.headers, bytes: Buffer.from(await response.body.arrayBuffer()) };
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
