import type { Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createServiceApp } from '@parcelway/http/app';
import { Idempotency } from '@parcelway/http/idempotency';
import { CLAIM_MS } from '@parcelway/http/idempotency-verdict';
import { PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier } from '@parcelway/http/principal-token';
import { createServiceServer, listen } from '@parcelway/http/server';
import { ManualClock } from '@parcelway/kernel/clock';
import type { IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import { silentLogger } from '@parcelway/kernel/logger';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { createEndpointManager } from '../endpoints/manage-endpoints.ts';
import type { WebhookStores } from '../ports.ts';
import { openTestStores } from '../testing/stores-under-test.ts';
import { T0 } from '../testing/webhook-fixtures.ts';
import { callerOf } from '../testing/webhook-harness.ts';
import { addWebhookRoutes, type WebhookApi } from './http.ts';

const SECRET = 's'.repeat(32);
const URL = 'https://merchant.example/hook';

let clock: ManualClock;
let db: SqliteDatabase;
let stores: WebhookStores;
let server: Server;
let port: number;
/** True while the process dies between an effect and the record of its response. */
let isDying: boolean;
/** Holds up registrations while it is set. */
let gate: Promise<void> | undefined;
let refusal: { readonly field: string; readonly rule: string; readonly message: string } | undefined;

/** The keys of a process that dies before it can record a response. */
function mortal(keys: IdempotencyStore): IdempotencyStore {
  const whileAlive = <T>(work: () => Promise<T>): Promise<T> => (isDying ? Promise.reject(new Error('the process has died')) : work());
  return {
    add: (record) => keys.add(record),
    replace: (record, claim) => keys.replace(record, claim),
    complete: (scope, seed, response) => whileAlive(() => keys.complete(scope, seed, response)),
    release: (scope, claim) => whileAlive(() => keys.release(scope, claim)),
  };
}

beforeEach(async () => {
  clock = new ManualClock(T0);
  [isDying, gate, refusal] = [false, undefined, undefined];
  ({ db, stores } = await openTestStores());
  const guard = {
    async refusalOf() {
      await gate;
      return refusal;
    },
  };
  const runner = { endpointChanged: () => undefined, endpointRemoved: () => undefined };
  const endpoints = createEndpointManager({ endpoints: stores.endpoints, guard, runner, clock, onMaintenanceNeeded: () => undefined });
  const idempotency = new Idempotency({ store: mortal(stores.idempotency), clock, logger: silentLogger });
  // The other use cases are not called.
  const api = { endpoints, idempotency, clock } as Partial<WebhookApi> as WebhookApi;
  const verifier = new PrincipalVerifier([SECRET], clock, 'sandbox');
  server = createServiceServer(
    createServiceApp({ logger: silentLogger, verifier, routes: (router) => addWebhookRoutes(router, api, 'sandbox') }),
    async () => undefined,
  );
  port = await listen(server, '127.0.0.1', 0);
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  db.close();
});

async function post(path: string, body: unknown, key?: string) {
  const caller = { ...callerOf('tnt_a'), environment: 'sandbox' } as const;
  const response = await fetch(`http://127.0.0.1:${port}/open/v1/webhook-endpoints${path}`, {
    method: 'POST',
    headers: {
      [PRINCIPAL_HEADER]: new PrincipalSigner(SECRET, clock).sign(caller),
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: JSON.stringify(body),
  });
  const { code, data } = (await response.json()) as { code: string; data: { endpoint_id: string; secret: string } };
  const { headers } = response;
  return { status: response.status, code, data, replayed: headers.get('idempotent-replayed'), retryAfter: headers.get('retry-after') };
}
const count = async (): Promise<number> => (await stores.endpoints.list('tnt_a')).length;

describe('a registration with a key', () => {
  test('while the first runs, a second is 40902 with Retry-After; both come to one endpoint', async () => {
    let open = (): void => undefined;
    gate = new Promise((resolve) => {
      open = resolve;
    });
    // Whoever comes second is refused while the first waits at the gate.
    const responses = [post('', { url: URL }, 'k'), post('', { url: URL }, 'k')];
    const second = await Promise.race(responses);
    expect(second).toMatchObject({ status: 409, code: '40902', retryAfter: '1', data: { header: 'Idempotency-Key' } });
    open();
    expect((await Promise.all(responses)).map(({ code }) => code).sort()).toEqual(['0', '40902']);
    expect(await count()).toBe(1);
  });
});

describe('a process that dies between effect and record', () => {
  test('has registered one endpoint, which the next attempt returns', async () => {
    isDying = true;
    expect((await post('', { url: URL }, 'k')).status).toBe(500);
    isDying = false;
    const [made] = await stores.endpoints.list('tnt_a');
    expect((await post('', { url: URL }, 'k')).code).toBe('40902');
    clock.advance(CLAIM_MS);
    // Whatever the rules say about the URL now: it has been registered.
    refusal = { field: 'url', rule: 'address', message: 'url is not allowed' };
    const next = await post('', { url: URL }, 'k');
    expect(next).toMatchObject({ code: '0', replayed: null, data: { endpoint_id: made?.endpointId, secret: made?.secret } });
    expect(await post('', { url: URL }, 'k')).toEqual({ ...next, replayed: 'true' });
    expect(await count()).toBe(1);
  });

  test('has rotated once: the secret before still signs', async () => {
    const { data } = await post('', { url: URL });
    isDying = true;
    expect((await post(`/${data.endpoint_id}/rotate-secret`, {}, 'k')).status).toBe(500);
    isDying = false;
    clock.advance(CLAIM_MS);
    const rotated = await post(`/${data.endpoint_id}/rotate-secret`, {}, 'k');
    const [endpoint] = await stores.endpoints.list('tnt_a');
    expect(endpoint).toMatchObject({ secret: rotated.data.secret, formerSecret: data.secret });
    expect(rotated.data.secret).not.toBe(data.secret);
  });
});
