import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { CliError, exitCodes } from './cli-error.ts';
import { type AdminAccess, HOW_TO_FIND } from './find-installation.ts';

/** A call of the admin API. */
export interface AdminCall {
  /** Default GET, or POST with a body. */
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: Readonly<Record<string, unknown>>;
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Lets the call take effect once, however often it is sent. */
  readonly idempotencyKey?: string;
}

/** `data` of a response. */
export type Data = Readonly<Record<string, unknown>>;

/** A response in the envelope. */
export interface Envelope {
  readonly code: string;
  readonly message: string;
  readonly data: Data | null;
}

/** Client of the admin API. */
export type AdminClient = ReturnType<typeof createAdminClient>;

/** Records of an export. */
export interface ExportPage {
  /** NDJSON, each line with its end. */
  readonly text: string;
  /** Where the next page begins; null at the end. */
  readonly next: string | null;
}

/** Over the 20 s that the platform gives itself for the slowest call. */
const TIMEOUT_MS = 30_000;
/** Over the 60 s that the platform gives itself for a content. */
const CONTENT_TIMEOUT_MS = 70_000;
const CONNECT_MS = 3000;
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** Code of a refusal → what to do next. */
const hints: Readonly<Record<string, string>> = {
  '40003':
    'The token does not belong to this installation, or it is revoked or expired. Check PARCEL_ADMIN_TOKEN, or set DATA_DIR to the data directory of the installation.',
  '40101':
    'The token does not belong to this installation, or it is revoked or expired. Check PARCEL_ADMIN_TOKEN, or set DATA_DIR to the data directory of the installation.',
  '40301': 'Ask an operator with this role, or use the token of one: PARCEL_ADMIN_TOKEN.',
  '40402': 'This platform does not support the call. parcelctl and the platform may have different versions.',
  '40403': 'Check the id. The list commands (tenant list, key list, webhook list, connection list) show the existing ids.',
  '50000': 'This is an error of the platform. Search its log for the request id.',
  '50301': 'Try again in a moment. parcelctl status shows which service is not ready.',
};

function fieldLines(data: Data | null): string {
  const errors = Array.isArray(data?.['errors']) ? (data['errors'] as { message?: unknown }[]) : [];
  return errors.map((error) => `\n  - ${String(error.message)}`).join('');
}

function refusal({ code, message, data }: Envelope, { headers }: Dispatcher.ResponseData): CliError {
  const lines = fieldLines(data);
  const what = lines === '' ? message : 'The platform rejected these values:';
  const request = headers['x-request-id'] === undefined ? '' : `, request ${String(headers['x-request-id'])}`;
  return new CliError(exitCodes.refused, `${what} (${code}${request})${lines}`, hints[code]);
}

function parseEnvelope(text: string, url: string): Envelope {
  try {
    const envelope = JSON.parse(text) as Partial<Envelope> | null;
    if (typeof envelope?.code === 'string') return { code: envelope.code, message: String(envelope.message), data: envelope.data ?? null };
  } catch {
    // Falls through to the same message as JSON of another shape.
  }
  throw new CliError(exitCodes.unreachable, `The response from ${url} is not from the admin API of a Parcelway installation`, HOW_TO_FIND);
}

/** Makes the client of an installation. */
export function createAdminClient({ url, token }: AdminAccess) {
  // No connection is kept open: the process ends with its last response.
  const agent = new Agent({ pipelining: 0, connect: { timeout: CONNECT_MS }, maxResponseSize: MAX_RESPONSE_BYTES });
  const unreachable = (cause: unknown): CliError => {
    const why = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message;
    return new CliError(exitCodes.unreachable, `Cannot reach the admin API at ${url} (${why})`, HOW_TO_FIND, cause);
  };
  const open = async (
    path: string,
    { method, body, query = {}, idempotencyKey }: AdminCall,
    timeoutMs = TIMEOUT_MS,
  ): Promise<Dispatcher.ResponseData> => {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const address = `${url}${path}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`;
    try {
      return await request(address, {
        method: method ?? (body ? 'POST' : 'GET'),
        headers: {
          authorization: `Bearer ${token}`,
          ...(body ? { 'content-type': 'application/json; charset=utf-8' } : {}),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        body: body ? JSON.stringify(body) : null,
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
    } catch (cause) {
      throw unreachable(cause);
    }
  };
  const textOf = async ({ body }: Dispatcher.ResponseData): Promise<string> => {
    try {
      return await body.text();
    } catch (cause) {
      throw unreachable(cause);
    }
  };
  const envelopeOf = async (response: Dispatcher.ResponseData): Promise<Envelope> => parseEnvelope(await textOf(response), url);
  return {
    /** @throws CliError exit code 1 when it refuses, 3 when it cannot be reached */
    async call(path: string, call: AdminCall = {}): Promise<Data> {
      const response = await open(path, call);
      const envelope = await envelopeOf(response);
      if (envelope.code !== '0') throw refusal(envelope, response);
      return envelope.data ?? {};
    },
    /** As `call`, but resolves with a refusal, too. */
    ask: async (path: string, call: AdminCall = {}): Promise<Envelope> => envelopeOf(await open(path, call)),
    /** A page of an export. @throws CliError as `call` */
    async page(path: string, after: string | null): Promise<ExportPage> {
      const response = await open(path, { query: { after: after ?? undefined } }, CONTENT_TIMEOUT_MS);
      if (response.statusCode !== 200) throw refusal(await envelopeOf(response), response);
      const next = response.headers['next-after'];
      return { text: await textOf(response), next: typeof next === 'string' ? decodeURIComponent(next) : null };
    },
    /**
     * Writes a content to a file, without holding it in memory.
     * @returns its media type; undefined when there is no such content
     * @throws CliError as `call`
     */
    async download(path: string, file: string): Promise<string | undefined> {
      const response = await open(path, {}, CONTENT_TIMEOUT_MS);
      if (response.statusCode === 200) {
        await pipeline(response.body, createWriteStream(file));
        return String(response.headers['content-type']);
      }
      const envelope = await envelopeOf(response);
      if (envelope.code === '40403') return undefined;
      throw refusal(envelope, response);
    },
  };
}
