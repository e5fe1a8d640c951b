import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import type { Quickstart } from '../operators/adapters/quickstart-file.ts';
import type { TestGateway } from './platform.ts';

/** A response in the envelope. */
export interface Envelope {
  readonly code: string;
  readonly message: string;
  readonly data: Record<string, never>;
}

/** Reads quickstart.json. */
export async function quickstartOf(gateway: TestGateway): Promise<Quickstart> {
  return JSON.parse(await readFile(join(gateway.directory, 'quickstart.json'), 'utf8')) as Quickstart;
}

/** What a request says besides its path. */
export interface Sent {
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(url: string, { method = 'GET', body, headers }: Sent, dispatcher?: Agent) {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await request(url, {
    method: method as 'GET',
    headers: { ...json, ...headers },
    body: body === undefined ? null : JSON.stringify(body),
    ...(dispatcher && { dispatcher }),
  });
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
}

/** Calls the public server as a merchant does, trusting its certificate. */
export async function callPublic(gateway: TestGateway, path: string, key?: string, sent: Sent = {}) {
  const agent = new Agent({ connect: { ca: await readFile(gateway.addresses.caFile as string, 'utf8') } });
  try {
    const headers = { ...sent.headers, ...(key !== undefined && { 'x-api-key': key }) };
    return await send(`${gateway.addresses.baseUrl}${path}`, { ...sent, headers }, agent);
  } finally {
    await agent.destroy();
  }
}

/** Calls the admin server; with the token of quickstart.json unless another is given. */
export async function callAdmin(gateway: TestGateway, method: string, path: string, body?: unknown, token?: string, more = {}) {
  const headers = { ...more, authorization: `Bearer ${token ?? (await quickstartOf(gateway)).admin.token}` };
  const response = await send(`${gateway.addresses.adminUrl}${path}`, { method, body, headers });
  return {
    ...response,
    get json() {
      return bodyOf(response);
    },
  };
}

/** The envelope of a public response. */
export const bodyOf = ({ text }: { readonly text: string }) => JSON.parse(text) as Envelope;
