import { describe, expect, test } from '@jest/globals';
import { rawExchange } from '@parcelway/harness/raw-request';
import { until } from '@parcelway/kernel/testing/until';
import { useStageWithMerchant } from '../use-stage.ts';

/*
 * Bytes that no client library sends. Each gets its one clear response or a closed connection; what follows it on the same
 * connection is not taken for a request; the others are served meanwhile. services/gateway/src/proxy/adapters has the TLS port and Upgrade.
 */

const { stage, merchant } = useStageWithMerchant();

const PATH = '/open/v1/forecasts/PROBE';
const GET = `GET ${PATH} HTTP/1.1`;
/** A read of a forecast that does not exist. */
const FOUND = '40401';
const LAST = 'Connection: close';
const CHUNKED = 'Transfer-Encoding: chunked';

/** What is odd about a request; what is not given is as it should be. */
interface Odd {
  readonly line?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly host?: string;
  /** Before the request line. */
  readonly before?: string;
}

const keyLine = (): string => `X-Api-Key: ${merchant.identity.key}`;
const bytesOf = ({ line = GET, headers = [], body = '', host = 'Host: localhost', before = '' }: Odd): string =>
  `${before}${[line, host, keyLine(), ...headers, '', ''].join('\r\n')}${body}`;
/** What must never be taken for a request. */
const hidden = (): string => bytesOf({ line: 'GET /open/v1/forecasts/HIDDEN HTTP/1.1', headers: [LAST] });

const read = (over: Odd): Odd => ({ ...over, headers: [...(over.headers ?? []), LAST] });
const target = (at: string): Odd => read({ line: `GET ${at} HTTP/1.1` });
const submit = (headers: readonly string[], body = ''): Odd => ({
  line: 'POST /open/v1/forecasts HTTP/1.1',
  headers: ['Content-Type: application/json', ...headers],
  body,
});

/** Odd request → code of its response, or undefined when the connection is closed without one. */
const cases: ReadonlyArray<readonly [name: string, code: string | undefined, odd: Odd]> = [
  ['a carriage return in a header', '40001', read({ headers: ['X-A: b\rX-B: c'] })],
  ['an empty line before the request', FOUND, read({ before: '\r\n' })],
  ['two lengths', '40001', submit(['Content-Length: 2', 'Content-Length: 3'])],
  ['a length before chunks', '40001', submit(['Content-Length: 2', CHUNKED])],
  ['a huge length', '41301', submit([`Content-Length: ${2 ** 50}`, LAST])],
  ['a trailer with a key', '42201', submit([CHUNKED, LAST], '2\r\n{}\r\n0\r\nX-Api-Key: x\r\n\r\n')],
  ['a length in a trailer', '40001', submit([CHUNKED], '2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n')],
  ['more than the size of a chunk', '40001', submit([CHUNKED], '2\r\n{}}}\r\n0\r\n\r\n')],
  ['a flood of trailers', '41301', submit([CHUNKED], `2\r\n{}\r\n0\r\n${'A: b\r\n'.repeat(10_000)}\r\n`)],
  ['another coding than chunked', '40001', submit(['Transfer-Encoding: gzip, chunked'], '0\r\n\r\n')],
  ['chunks twice', '40001', submit([CHUNKED, CHUNKED], '0\r\n\r\n')],
  ['CONNECT', undefined, { line: 'CONNECT localhost:443 HTTP/1.1', host: 'Host: localhost:443' }],
  ['a target in absolute form, of another host', FOUND, target(`http://example.com${PATH}`)],
  ['a target with dots', '40402', target('/open/v1/forecasts/../warehouses')],
  ['a target with an escaped slash', '40402', target('/open/v1/forecasts%2fPROBE')],
  ['a target with NUL', '40001', target(`${PATH}\0`)],
  ['a target that is no UTF-8', '42201', target(`${PATH}%ff`)],
  ['a target of 100,000 characters', '41301', target(`/${'x'.repeat(100_000)}`)],
  ['a target with bytes beyond ASCII', '40001', target(`${PATH}\xe9`)],
  ['no HTTP', '40001', { before: 'hello\r\n\r\n' }],
  ['no version', '40001', { line: `GET ${PATH}` }],
  ['HTTP/2.0', '40001', read({ line: `GET ${PATH} HTTP/2.0` })],
  ['HTTP/1.0', FOUND, read({ line: `GET ${PATH} HTTP/1.0` })],
  ['an unknown method', '40001', read({ line: `FOO ${PATH} HTTP/1.1` })],
  ['a method of another protocol', '40501', read({ line: `PROPFIND ${PATH} HTTP/1.1` })],
  ['two Host headers', '40001', read({ headers: ['Host: localhost'] })],
  ['no Host header', '40001', read({ host: 'X-Host: localhost' })],
  ['a second key', '40003', read({ headers: ['X-Api-Key: x'] })],
  ['a folded header', '40001', read({ headers: ['X-A: b\r\n c'] })],
  ['a header without a name', '40001', read({ headers: [': b'] })],
  ['headers of 20 kB', '41301', read({ headers: [`X-A: ${'b'.repeat(20_000)}`] })],
  ['a header of 1 MB', '41301', read({ headers: [`X-A: ${'b'.repeat(1_000_000)}`] })],
  ['10,000 headers', '41301', read({ headers: Array.from({ length: 10_000 }, (_, index) => `X-${index}: y`) })],
  ['a header beyond ASCII', FOUND, read({ headers: ['X-A: \xe9'] })],
];

/** Reads of a forecast that the cases so far have made. */
let expectedReads = 0;

const READ =
  /^http_server_request_duration_seconds_count\{service_name="forecast",http_request_method="GET",http_route="\/open\/v1\/forecasts\/\{po_number\}",.* (\d+)$/gm;

/** How many reads of a forecast the service has seen. */
async function readsSeen(): Promise<number> {
  return [...(await stage.metrics()).matchAll(READ)].reduce((sum, match) => sum + Number(match[1]), 0);
}

/** Sends bytes, and holds the responses and what the service has seen against what is expected. */
async function expectCodes(bytes: string, codes: readonly string[]): Promise<void> {
  const responses = await rawExchange(stage.target, Buffer.from(bytes, 'latin1'));
  expect(responses.map(({ body }) => (JSON.parse(body) as { code: string }).code)).toEqual(codes);
  for (const { headers } of responses) expect(headers['x-request-id']).toMatch(/^req_/);
  expectedReads += codes.filter((code) => code === FOUND).length;
  await until(async () => (await readsSeen()) >= expectedReads, { what: 'the reads' });
  expect(await readsSeen()).toBe(expectedReads);
  expect((await merchant.client.call('/open/v1/warehouses')).code).toBe('0');
}

describe('one response, and nothing behind it is read', () => {
  test.each(cases)('%s', (_name, code, odd) => expectCodes(`${bytesOf(odd)}${hidden()}`, code === undefined ? [] : [code]), 30_000);

  test('line feeds alone', () => expectCodes(`${GET}\nHost: localhost\n${keyLine()}\n\n${hidden()}`, ['40001']));
  test('the body of a GET', () => {
    const body = hidden();
    return expectCodes(bytesOf(read({ headers: [`Content-Length: ${body.length}`], body })), [FOUND]);
  });
});

test('responds to each of 100 pipelined requests, and closes the connection at an invalid one', async () => {
  await expectCodes(`${bytesOf({}).repeat(99)}${bytesOf(read({}))}`, Array<string>(100).fill(FOUND));
  await expectCodes(`${bytesOf({}).repeat(2)}nonsense\r\n\r\n${hidden()}`, [FOUND, FOUND, '40001']);
  expect((await merchant.client.expectOk<{ forecasts: unknown[] }>('/open/v1/forecasts')).forecasts).toEqual([]);
}, 30_000);
