import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { createServiceApp } from '@parcelway/http/app';
import { PRINCIPAL_HEADER, PrincipalSigner, PrincipalVerifier } from '@parcelway/http/principal-token';
import { createServiceServer, listen } from '@parcelway/http/server';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { importForm, importFormType } from '../../testing/import-forms.ts';
import type { Reading } from '../ports.ts';
import { type ImportRoutesOptions, importRoutes } from './http-imports.ts';

const SECRET = 'a secret of the tests that is long enough';

test('a preview is not read any more when its client has gone', async () => {
  const clock = new ManualClock(0);
  let reading: Reading | undefined;
  const options: Partial<ImportRoutesOptions> = {
    reader: {
      async *read(_content, _kind, given) {
        reading = given;
        yield { rows: [], warnings: [], countsFrom1904: false };
        await once(given.signal as AbortSignal, 'abort');
        throw new Error('Nobody waits for it');
      },
    },
    validate: async () => ({ errors: [], warnings: [] }),
  };
  const app = createServiceApp({
    logger: silentLogger,
    verifier: new PrincipalVerifier([SECRET], clock, 'sandbox'),
    routes: (router) => importRoutes(router, options as ImportRoutesOptions),
  });
  const server = createServiceServer(app as Parameters<typeof createServiceServer>[0], async () => undefined);
  await listen(server, '127.0.0.1', 0);
  const principal = new PrincipalSigner(SECRET, clock).sign({
    kind: 'tenant',
    tenantId: 'tnt_a',
    warehouseCode: null,
    keyId: 'key_test',
    scopes: ['forecasts:write'],
    environment: 'sandbox',
  });
  const body = importForm('a.csv', 'PO\nP1');
  const req = request({
    port: (server.address() as AddressInfo).port,
    method: 'POST',
    path: '/open/v1/forecasts/import/preview',
    headers: { [PRINCIPAL_HEADER]: principal, 'content-type': importFormType, 'content-length': body.length },
  });
  req.on('error', () => undefined).end(body);
  const begun = await until(() => reading, { what: 'the reading to begin' });
  expect(begun).toMatchObject({ tenantId: 'tnt_a', purpose: 'preview', signal: { aborted: false } });
  req.destroy();
  await until(() => begun.signal?.aborted, { what: 'the end of the reading' });
  server.close();
  server.closeAllConnections();
});
