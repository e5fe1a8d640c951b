import { describe, expect, test } from '@jest/globals';
import { MAX_FILE_BYTES } from '@parcelway/contracts/file-api';
import { MAX_IMPORT_BYTES, MAX_IMPORT_ROWS, MAX_UNFINISHED_IMPORTS } from '@parcelway/contracts/import-limits';
import { MAX_EVENTS_PER_CALL } from '@parcelway/contracts/warehouse-api';
import { MAX_ENDPOINTS_PER_TENANT } from '@parcelway/contracts/webhook-endpoint-limits';
import { MAX_WRITE_BYTES } from '@parcelway/http/app-prototypes';
import { READ_STALL_MS } from '@parcelway/http/end-stalled-connections';
import { MAX_JSON_BYTES } from '@parcelway/http/json-body';
import { FairShares, type FairSharesOptions } from '@parcelway/kernel/fair-shares';
import { loadGatewayConfig } from '../../../services/gateway/src/config.ts';
import { MAX_PIPELINED } from '../../../services/gateway/src/proxy/adapters/in-turn.ts';
import { connectionLimits } from '../../../services/gateway/src/proxy/adapters/listener.ts';
import { upstreamLimits } from '../../../services/gateway/src/proxy/domain/client-shares.ts';
import { FULL_PAYLOADS_AT_ONCE, FULL_READS_AT_ONCE } from '../../../services/webhook/src/dispatch/full-payloads.ts';
import { read, rowsOf, section } from './testing/documents.ts';

/* What one client can use is stated by hand; here it is held against the constants of the code. */

const MB = 1024 * 1024;
const defaults = loadGatewayConfig({});
const connection = connectionLimits(defaults.arrivalTimeouts);

/** First two cells of the rows of the tables in a section. */
const limitsIn = (document: string, heading: string): Map<string, string> =>
  new Map(rowsOf(section(read(`docs/${document}`), heading)).map(([what = '', most = '']) => [what, most]));

const seconds = (ms: number): string => `${ms / 1000} s`;
const share = (limit: FairSharesOptions): string => `${FairShares.mostOf(limit)} of ${limit.capacity}`;

test('a gateway without settings ends clients as every other server does', () => {
  expect(defaults.readStallMs).toBe(READ_STALL_MS);
});

describe('operations: what one client can use', () => {
  const limits = limitsIn('operations.md', 'What one client can use');

  test.each([
    ['Connections', `${defaults.maxConnectionsPerAddress}`],
    ['Time without reading the response', seconds(defaults.readStallMs)],
    ['Requests waiting on a connection for the responses before them', `${MAX_PIPELINED}`],
    ['Time to send the headers of a request', seconds(connection.headersTimeout)],
    ['Time to send a request', seconds(connection.requestTimeout)],
    ['Size of the headers', `${connection.maxHeaderSize / 1024} kB`],
    ['Size of a JSON body', `${MAX_JSON_BYTES / MB} MB`],
    ['Size of a file', `${MAX_FILE_BYTES / MB} MB`],
    ['Size of a spreadsheet', `${MAX_IMPORT_BYTES / MB} MB`],
    ['Rows of a spreadsheet', `${MAX_IMPORT_ROWS}`],
    ['Unfinished imports', `${MAX_UNFINISHED_IMPORTS}`],
    ['Requests to a service at the same time', share(upstreamLimits.connections)],
    ['Requests to a service at the same time, with those that wait', share(upstreamLimits.underWay)],
    [`Bodies over ${upstreamLimits.smallBodyBytes / 1024} kB on their way to a service`, share(upstreamLimits.uploads)],
    [
      `Unread bytes of responses over ${MAX_WRITE_BYTES / 1024} kB, embedded`,
      `${FairShares.mostOf(upstreamLimits.unreadBytes) / MB} MB of ${upstreamLimits.unreadBytes.capacity / MB} MB`,
    ],
    [`Unread responses over ${upstreamLimits.smallBodyBytes / 1024} kB of a service, distributed`, share(upstreamLimits.streams)],
    ['Full webhook payloads that are read or sent at the same time', share({ capacity: FULL_PAYLOADS_AT_ONCE, part: 1 })],
    ['Calls to a service that read full webhook payloads', share({ capacity: FULL_READS_AT_ONCE, part: 1 })],
    ['Webhook endpoints', `${MAX_ENDPOINTS_PER_TENANT}`],
    ['Warehouse events in one request', `${MAX_EVENTS_PER_CALL}`],
  ])('%s: %s', (what, most) => {
    expect(limits.get(what)).toBe(most);
  });
});

test('merchants: what they can use at the same time', () => {
  const limits = limitsIn('merchants.md', 'Rate limits');
  const most = (limit: FairSharesOptions): string => `${FairShares.mostOf(limit)}, fewer`;
  expect(limits.get('Connections of an address')).toBe(`${defaults.maxConnectionsPerAddress}`);
  expect(limits.get('Requests under way at the same time')).toContain(most(upstreamLimits.connections));
  expect(limits.get('Uploads under way')).toContain(most(upstreamLimits.uploads));
  expect(limits.get('Time without reading a response')).toBe(seconds(defaults.readStallMs));
});
