import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { Parcelway } from './parcelway.ts';
import { readQuickstart } from './quickstart.ts';
import { startApiServer } from './testing/api-server.ts';

const directory = mkdtempSync(join(tmpdir(), 'quickstart-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Writes a quickstart.json. @returns its path */
function write(content: unknown): string {
  const file = join(directory, 'quickstart.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('a client reads address and key from the file of a sandbox', async () => {
  const server = await startApiServer();
  const client = Parcelway.fromQuickstart(write({ base_url: server.url, ca_file: null, tenant: { api_key: 'pf_test_quick' } }), {
    maxRetries: 0,
  });
  try {
    await client.warehouses.list();
    expect(server.seen[0]?.headers['x-api-key']).toBe('pf_test_quick');
  } finally {
    client.close();
    await server.close();
  }
});

test('the certificate comes along', () => {
  const pem = join(directory, 'cert.pem');
  writeFileSync(pem, 'PEM');
  const content = { base_url: 'https://localhost:8443', ca_file: pem, tenant: { api_key: 'k' } };
  expect(readQuickstart(write(content))).toEqual({ baseUrl: 'https://localhost:8443', apiKey: 'k', ca: 'PEM' });
  rmSync(pem);
  expect(() => readQuickstart(write(content))).toThrow(/cert\.pem \(ENOENT\): .*quickstart\.json names it as ca_file/);
});

test.each(['{', 'null', '[]', { base_url: 'https://localhost' }, { tenant: { api_key: 'k' } }])('a file with %j is named', (content) => {
  expect(() => readQuickstart(write(content))).toThrow('quickstart.json is no quickstart.json of a sandbox');
});

test('a missing file says what to do', () => {
  expect(() => Parcelway.fromQuickstart(join(directory, 'none.json'))).toThrow(/none\.json \(ENOENT\): start the sandbox/);
});
