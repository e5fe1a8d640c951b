import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Agent, request } from 'undici';
import { startFront, type TestFront } from './testing/platform.ts';

/** Says that it is ready, and tells what reached it. */
const others = (req: IncomingMessage, res: ServerResponse): void => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    res.setHeader('Content-Type', 'application/json');
    const data = { url: req.url, method: req.method, body: Buffer.concat(chunks).toString(), type: req.headers['content-type'] };
    res.end(JSON.stringify({ code: '0', message: 'success', data }));
  });
};

interface Envelope {
  code: string;
  message: string;
  data: Record<string, never>;
}

interface QuickstartFile {
  base_url: string;
  ca_file: string;
  environment: string;
  tenant: { id: string; name: string; api_key: string };
  warehouse: { code: string; api_key: string };
  admin: { url: string; token: string };
}

let front: TestFront;
const open: Agent[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((agent) => agent.destroy()));
  await front[Symbol.asyncDispose]();
});

async function quickstartOf(started: TestFront): Promise<QuickstartFile> {
  return JSON.parse(await readFile(join(started.directory, 'quickstart.json'), 'utf8')) as QuickstartFile;
}

async function callPublic(path: string, key?: string): Promise<{ status: number; headers: Record<string, unknown>; text: string }> {
  const ca = await readFile(front.addresses.caFile as string, 'utf8');
  const agent = new Agent({ connect: { ca } });
  open.push(agent);
  const answer = await request(`${front.addresses.baseUrl}${path}`, { dispatcher: agent, headers: key ? { 'x-api-key': key } : {} });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

async function callAdmin(method: string, path: string, body?: unknown, token?: string): Promise<{ status: number; json: Envelope }> {
  const { admin } = await quickstartOf(front);
  const answer = await request(`${front.addresses.adminUrl}${path}`, {
    method: method as 'GET',
    headers: { authorization: `Bearer ${token ?? admin.token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  return { status: answer.statusCode, json: (await answer.body.json()) as Envelope };
}

describe('a first start in the sandbox', () => {
  test('makes a tenant, a warehouse and keys that work, in a file that only its owner may read', async () => {
    front = await startFront(others);
    const file = join(front.directory, 'quickstart.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(front.directory, 'tls', 'key.pem'))).mode & 0o777).toBe(0o600);
    const quickstart = await quickstartOf(front);
    expect(quickstart).toMatchObject({
      base_url: front.addresses.baseUrl,
      ca_file: front.addresses.caFile,
      environment: 'sandbox',
      tenant: { name: 'Demo Merchant' },
      warehouse: { code: 'SZ01' },
      admin: { url: front.addresses.adminUrl },
    });
    const warehouses = await callPublic('/open/v1/warehouses', quickstart.tenant.api_key);
    expect(warehouses.status).toBe(200);
    expect(JSON.parse(warehouses.text).data).toEqual({ warehouses: [{ code: 'SZ01', name: 'Shenzhen demo warehouse' }] });
    expect((await callPublic('/open/v1/warehouses', quickstart.warehouse.api_key)).status).toBe(403);
  });

  test('keeps keys and token over a restart, and issues new keys to the same tenant when the file is lost', async () => {
    const first = await startFront(others);
    front = first;
    const before = await quickstartOf(first);
    await first.stop();
    front = await startFront(others, {}, first.directory);
    const after = await quickstartOf(front);
    expect(after.tenant).toEqual(before.tenant);
    expect(after.warehouse).toEqual(before.warehouse);
    expect(after.admin.token).toBe(before.admin.token);
    expect(after.base_url).toBe(front.addresses.baseUrl);
  });
});
