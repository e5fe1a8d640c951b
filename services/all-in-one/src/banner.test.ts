import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { type BannerFacts, banner } from './banner.ts';

const facts: BannerFacts = {
  baseUrl: 'https://parcels.example.com',
  adminUrl: 'http://127.0.0.1:9000',
  caFile: null,
  environment: 'production',
  mode: 'embedded',
  dataDirectory: '/data',
  readyAfterMs: 1234,
  isBaseUrlSet: true,
};

const directory = useDirectory();

test('the banner of a sandbox has a call to try, and says how to receive webhooks', () => {
  const dataDirectory = directory.path;
  writeFileSync(join(dataDirectory, 'quickstart.json'), JSON.stringify({ tenant: { api_key: 'pf_test_demo' } }));
  const text = banner({ ...facts, environment: 'sandbox', dataDirectory, caFile: '/data/cert.pem' });
  expect(text).toContain(
    "\n  curl --cacert '/data/cert.pem' -H 'X-Api-Key: pf_test_demo' https://parcels.example.com/open/v1/warehouses\n",
  );
  expect(text).toContain('\n  Receive webhooks here: npx parcelctl listen --forward-to http://localhost:3000/\n');
});

describe('the banner of a production platform', () => {
  test.each([
    [{ isBaseUrlSet: false }, 'is not set: uploads return URLs that begin with https://parcels.example.com.'],
    ...['https://localhost:8443', 'https://api.localhost', 'https://127.0.0.1:8443', 'https://[::1]:8443'].map(
      (baseUrl) => [{ baseUrl }, `is ${baseUrl}: only programs on this machine can open the URLs of uploads.`] as const,
    ),
  ])('with %j warns about PUBLIC_BASE_URL', (given, problem) =>
    expect(banner({ ...facts, ...given })).toContain(`PUBLIC_BASE_URL ${problem}`),
  );
});
