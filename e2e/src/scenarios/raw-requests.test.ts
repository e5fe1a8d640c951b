import { describe, expect, test } from '@jest/globals';
import { type RawResponse, rawExchange } from '@parcelway/harness/raw-request';
import { until } from '@parcelway/kernel/testing/until';
import { useStageWithMerchant } from '../use-stage.ts';
import { type RawCase, rawCases } from './raw-request-cases.ts';

/*
 * Bytes that no client library sends. Each gets its one clear response or a closed connection; what follows it on the same
 * connection is not taken for a request; the others are served meanwhile.
 */

const { stage, merchant } = useStageWithMerchant();
/** Reads of a forecast that the cases so far have made. */
let expectedReads = 0;

const keyLine = (): string => `X-Api-Key: ${merchant.identity.key}`;
const target = (tls = true) => (tls ? stage.target : { ...stage.target, ca: null });
const send = (bytes: string, tls = true): Promise<RawResponse[]> => rawExchange(target(tls), Buffer.from(bytes, 'latin1'));
const codesOf = (responses: readonly RawResponse[]): string[] => responses.map(({ body }) => (JSON.parse(body) as { code: string }).code);

const READ =
  /^http_server_request_duration_seconds_count\{service_name="forecast",http_request_method="GET",http_route="\/open\/v1\/forecasts\/\{po_number\}",.* (\d+)$/gm;

/** How many reads of a forecast the service has seen. */
async function readsSeen(): Promise<number> {
  return [...(await stage.metrics()).matchAll(READ)].reduce((sum, match) => sum + Number(match[1]), 0);
}

async function othersAreServed(): Promise<void> {
  expect((await merchant.client.call('/open/v1/warehouses')).code).toBe('0');
}

async function play({ bytes, codes, reads = 0 }: RawCase): Promise<void> {
  const responses = await send(bytes(keyLine()));
  expect(codesOf(responses)).toEqual(codes);
  expectedReads += reads;
  await until(async () => (await readsSeen()) >= expectedReads, { what: 'the reads' });
  expect(await readsSeen()).toBe(expectedReads);
  await othersAreServed();
}

describe.each(rawCases)('%s', (_group, cases) => {
  test.each(cases.map((each): [string, RawCase] => [each.name, each]))('%s', (_name, each) => play(each), 30_000);
});

describe('the TLS port', () => {
  test.each([
    ['plain HTTP', 'GET /open/v1/forecasts/PROBE HTTP/1.1\r\nHost: localhost\r\n\r\n', ['40002']],
    ['plain nonsense', 'nonsense\r\n\r\n', ['40002']],
    ['a handshake that is none', '\x16\x03\x01\x00\x05nonsense', []],
    ['a handshake of a version that is none', `\x16\x09\x09\x40\x00${'\0'.repeat(0x4000)}`, []],
    ['an alert', '\x15\x03\x03\x00\x02\x02\x28', ['40002']],
    ['a hello of SSL 2', '\x80\x2e\x01\x00\x02\x00\x15\x00\x00\x00\x10', ['40002']],
  ])('refuses %s', async (_what, bytes, codes) => {
    // An alert of TLS is no response.
    const responses = (await send(bytes, false)).filter(({ status }) => status !== 0);
    expect(codesOf(responses)).toEqual(codes);
    await othersAreServed();
  });
});

test('nothing was stored, and nothing more was read', async () => {
  expect((await merchant.client.expectOk<{ forecasts: unknown[] }>('/open/v1/forecasts')).forecasts).toEqual([]);
  expect(await readsSeen()).toBe(expectedReads);
});
