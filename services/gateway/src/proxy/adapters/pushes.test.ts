import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { echo, startGateway, type TestGateway } from '../../testing/harness.ts';

interface Echoed {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const PATH = '/carriers/v1/ups/con_1';
const BODY = '{"trackingNumber": "1Z12345E0205271688"  }';

describe('the route of pushes', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startGateway(echo);
  });
  afterEach(async () => {
    await gateway[Symbol.asyncDispose]();
  });

  const push = (headers: Record<string, string> = {}) =>
    gateway.call(PATH, { method: 'POST', body: BODY, headers: { 'content-type': 'application/json', ...headers } });
  const arrived = async (headers?: Record<string, string>): Promise<Echoed> => (await push(headers)).json.data as unknown as Echoed;

  test('needs no key, and passes body and signature on as they came', async () => {
    const { url, headers, body } = await arrived({ 'x-hmac-signature': 'hmac-sha256-hex=00', sign: 'ab' });
    expect({ url, body }).toEqual({ url: PATH, body: BODY });
    expect(headers).toMatchObject({ 'x-hmac-signature': 'hmac-sha256-hex=00', sign: 'ab' });
    expect(headers).not.toHaveProperty('x-api-key');
  });

  test('acts for nobody, whoever the push says that it is', async () => {
    const { key } = await gateway.issue();
    const { headers } = await arrived({ 'x-parcelway-principal': 'forged', 'x-api-key': key });
    expect(gateway.verifier.verify(headers['x-parcelway-principal'])).toMatchObject({ kind: 'system', tenantId: null, scopes: [] });
  });

  test('passes on a secret in X-Api-Key, which is none of our keys, however often it comes', async () => {
    // Wrong keys of this address would be slowed down after 100.
    for (let count = 0; count < 150; count += 1) {
      const response = await push({ 'x-api-key': 'secret-of-a-connection' });
      expect(response.status).toBe(200);
      expect((response.json.data as unknown as Echoed).headers['x-api-key']).toBe('secret-of-a-connection');
    }
    expect((await gateway.call('/open/v1/warehouses', { key: 'wrong' })).json.code).toBe('40003');
  });
});
