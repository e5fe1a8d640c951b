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

/** Calls the public server as a merchant does, trusting its certificate. `json`: sent as a POST. */
export async function callPublic(gateway: TestGateway, path: string, key?: string, json?: string) {
  const agent = new Agent({ connect: { ca: await readFile(gateway.addresses.caFile as string, 'utf8') } });
  try {
    const response = await request(`${gateway.addresses.baseUrl}${path}`, {
      method: json === undefined ? 'GET' : 'POST',
      dispatcher: agent,
      headers: {
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: json ?? null,
    });
    return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
  } finally {
    await agent.destroy();
  }
}

/** Calls the admin server; with the token of quickstart.json unless another is given. */
export async function callAdmin(
  gateway: TestGateway,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<{ status: number; json: Envelope }> {
  const bearer = token ?? (await quickstartOf(gateway)).admin.token;
  const response = await request(`${gateway.addresses.adminUrl}${path}`, {
    method: method as 'GET',
    headers: { authorization: `Bearer ${bearer}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: response.statusCode, json: (await response.body.json()) as Envelope };
}

/** The envelope of a public response. */
export const bodyOf = ({ text }: { readonly text: string }) => JSON.parse(text) as Envelope;
