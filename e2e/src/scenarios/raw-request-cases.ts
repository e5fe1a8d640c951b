/* Requests as no well-behaved client sends them, and what has to come of each. */

/** One connection: what is written to it, and what comes back until it ends. */
export interface RawCase {
  readonly name: string;
  /** The bytes, with the header line of a good key to put in. */
  readonly bytes: (key: string) => string;
  /** Codes of the responses, in their order; none when the connection is closed without one. */
  readonly codes: readonly string[];
  /** How many reads of a forecast the service has seen then; default none. */
  readonly reads?: number;
}

const PATH = '/open/v1/forecasts/PROBE';
/** A read of a forecast that does not exist. */
const FOUND = '40401';
const EOL = '\r\n';

function request(line: string, headers: readonly string[], body = ''): string {
  return `${[line, ...headers, '', ''].join(EOL)}${body}`;
}

/** What must never be taken for a request. */
const hidden = (key: string): string => request('GET /open/v1/forecasts/HIDDEN HTTP/1.1', ['Host: localhost', key, 'Connection: close']);

/** A read of a forecast, the last one of its connection, and a hidden one behind it. */
function read(name: string, codes: readonly string[], over: { line?: string; host?: string; headers?: readonly string[] } = {}): RawCase {
  const { line = `GET ${PATH} HTTP/1.1`, host = 'Host: localhost', headers = [] } = over;
  const reads = codes.filter((code) => code === FOUND).length;
  return { name, codes, reads, bytes: (key) => request(line, [host, key, ...headers, 'Connection: close'], hidden(key)) };
}

/** A read with one header more, which makes it no request. */
const refusedHeader = (name: string, header: string, code = '40001'): RawCase => read(name, [code], { headers: [header] });

/** A submission with a body that hides a request. */
function submit(name: string, codes: readonly string[], headers: readonly string[], body: (key: string) => string): RawCase {
  const line = 'POST /open/v1/forecasts HTTP/1.1';
  return { name, codes, bytes: (key) => request(line, ['Host: localhost', key, 'Content-Type: application/json', ...headers], body(key)) };
}

const CHUNKED = 'Transfer-Encoding: chunked';
const chunks = (name: string, codes: readonly string[], body: string, more: readonly string[] = []): RawCase =>
  submit(name, codes, [CHUNKED, ...more], (key) => `${body}${hidden(key)}`);
const LAST = ['Connection: close'];

const lineEndings: readonly RawCase[] = [
  { name: 'line feeds alone', codes: ['40001'], bytes: (key) => `GET ${PATH} HTTP/1.1\nHost: localhost\n${key}\n\n${hidden(key)}` },
  refusedHeader('a carriage return in a header', 'X-A: b\rX-B: c'),
  {
    name: 'an empty line before the request',
    codes: [FOUND],
    reads: 1,
    bytes: (key) => `\r\n${request(`GET ${PATH} HTTP/1.1`, ['Host: localhost', key, ...LAST])}`,
  },
];

const length = (name: string, ...headers: readonly string[]): RawCase => submit(name, ['40001'], headers, hidden);

const lengths: readonly RawCase[] = [
  length('the same length twice', 'Content-Length: 2', 'Content-Length: 2'),
  length('two lengths', 'Content-Length: 2', 'Content-Length: 3'),
  length('a length before chunks', 'Content-Length: 2', CHUNKED),
  length('a negative length', 'Content-Length: -1'),
  length('a hexadecimal length', 'Content-Length: 0x2'),
  length('a length beyond 64 bits', 'Content-Length: 18446744073709551618'),
  submit('a huge length', ['41301'], [`Content-Length: ${2 ** 50}`, ...LAST], hidden),
  {
    name: 'a body of a GET',
    codes: [FOUND],
    reads: 1,
    bytes: (key) =>
      request(`GET ${PATH} HTTP/1.1`, ['Host: localhost', key, `Content-Length: ${hidden(key).length}`, ...LAST], hidden(key)),
  },
];

const chunking: readonly RawCase[] = [
  chunks('well-formed chunks', ['42201'], '2\r\n{}\r\n0\r\n\r\n', LAST),
  chunks('a small extension', ['42201'], '2;a=b\r\n{}\r\n0\r\n\r\n', LAST),
  chunks('a trailer', ['42201'], '2\r\n{}\r\n0\r\nX-Api-Key: x\r\n\r\n', LAST),
  chunks('a length in a trailer', ['40001'], '2\r\n{}\r\n0\r\nContent-Length: 9\r\n\r\n'),
  chunks('a size that is none', ['40001'], 'zz\r\n{}\r\n0\r\n\r\n'),
  chunks('a size beyond 64 bits', ['40001'], '10000000000000002\r\n{}\r\n0\r\n\r\n'),
  chunks('a size with a line feed alone', ['40001'], '2\n{}\r\n0\r\n\r\n'),
  chunks('more than its size', ['40001'], '2\r\n{}}}\r\n0\r\n\r\n'),
  chunks('a flood of extensions', ['40001'], `2;${'a'.repeat(100_000)}\r\n{}\r\n0\r\n\r\n`),
  chunks('a flood of trailers', ['41301'], `2\r\n{}\r\n0\r\n${'A: b\r\n'.repeat(10_000)}\r\n`),
  ...['gzip', 'identity', 'chunked, identity', 'chunked, chunked', 'xchunked', 'gzip, chunked', '\x0bchunked', ''].map((coding) =>
    submit(`the coding ${JSON.stringify(coding)}`, ['40001'], [`Transfer-Encoding: ${coding}`], (key) => `0\r\n\r\n${hidden(key)}`),
  ),
  submit('chunks twice', ['40001'], [CHUNKED, CHUNKED], (key) => `0\r\n\r\n${hidden(key)}`),
];

const upgrades: readonly RawCase[] = [
  ...['h2c', 'websocket', 'anything/1'].map(
    (protocol): RawCase => ({
      name: `Upgrade to ${protocol}, and another request`,
      codes: [FOUND],
      reads: 1,
      bytes: (key) => request(`GET ${PATH} HTTP/1.1`, ['Host: localhost', key, 'Connection: Upgrade', `Upgrade: ${protocol}`], hidden(key)),
    }),
  ),
  {
    name: 'Upgrade, and a body',
    codes: ['40001'],
    bytes: (key) => {
      const body = hidden(key);
      const headers = ['Host: localhost', key, 'Content-Type: application/json', `Content-Length: ${body.length}`];
      return request('POST /open/v1/forecasts HTTP/1.1', [...headers, 'Connection: Upgrade', 'Upgrade: h2c'], `${body}${body}`);
    },
  },
  { name: 'CONNECT', codes: [], bytes: (key) => request('CONNECT localhost:443 HTTP/1.1', ['Host: localhost:443', key], hidden(key)) },
  { name: 'the preface of HTTP/2', codes: ['40001'], bytes: (key) => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden(key)}` },
];

const target = (name: string, at: string, ...codes: readonly string[]): RawCase =>
  read(`the target ${name}`, codes, { line: `GET ${at} HTTP/1.1` });

const targets: readonly RawCase[] = [
  target('in absolute form', `https://localhost${PATH}`, FOUND),
  target('in absolute form of another host', `http://example.com${PATH}`, FOUND),
  target('with dots', '/open/v1/forecasts/../warehouses', '40402'),
  target('of dots', '/open/v1/forecasts/..', FOUND),
  target('with an escaped slash', '/open/v1/forecasts%2fPROBE', '40402'),
  target('with a backslash', '/open\\v1\\forecasts', '40402'),
  target('with NUL', `${PATH}\0`, '40001'),
  target('that is no UTF-8', `${PATH}%ff`, '42201'),
  target('of 100,000 characters', `/${'x'.repeat(100_000)}`, '41301'),
  ...['HTTP/2.0', 'HTTP/1.2', 'HTTP/0.9', 'http/1.1', 'HTTP/1.1x', 'HTTPS/1.1'].map((version) =>
    read(`the version ${version}`, ['40001'], { line: `GET ${PATH} ${version}` }),
  ),
  read('HTTP/1.0', [FOUND], { line: `GET ${PATH} HTTP/1.0` }),
  ...['get', 'GE T', 'FOO', '\x00GET', 'G'.repeat(20_000)].map((method, index) =>
    read(`a method that is none (${index + 1})`, ['40001'], { line: `${method} ${PATH} HTTP/1.1` }),
  ),
  read('a method of another protocol', ['40501'], { line: `PROPFIND ${PATH} HTTP/1.1` }),
];

const headers: readonly RawCase[] = [
  refusedHeader('two Host headers', 'Host: localhost'),
  read('no Host header', ['40001'], { host: 'X-Host: localhost' }),
  refusedHeader('a second key', 'X-Api-Key: x', '40003'),
  refusedHeader('a second key that is empty', 'X-Api-Key:', '40003'),
  refusedHeader('a folded header', 'X-A: b\r\n c'),
  refusedHeader('NUL in a header', 'X-A: b\0c'),
  refusedHeader('a blank before the colon', 'X-A : b'),
  refusedHeader('a header of 1 MB', `X-A: ${'b'.repeat(1_000_000)}`, '41301'),
  read('10,000 headers', ['41301'], { headers: Array.from({ length: 10_000 }, (_, index) => `X-${index}: y`) }),
  read('a header beyond ASCII', [FOUND], { headers: ['X-A: \xe9'] }),
  read('a request behind the last one', [FOUND]),
];

const pipelines: readonly RawCase[] = [
  {
    name: '100 requests in one write',
    codes: Array<string>(100).fill(FOUND),
    reads: 100,
    bytes: (key) =>
      request(`GET ${PATH} HTTP/1.1`, ['Host: localhost', key]).repeat(99) +
      request(`GET ${PATH} HTTP/1.1`, ['Host: localhost', key, ...LAST]),
  },
  {
    name: 'a request between two others that is none',
    codes: [FOUND, '40001'],
    reads: 1,
    bytes: (key) => `${request(`GET ${PATH} HTTP/1.1`, ['Host: localhost', key])}nonsense\r\n\r\n${hidden(key)}`,
  },
];

/** All of them, by what is odd about them. */
export const rawCases: ReadonlyArray<readonly [string, readonly RawCase[]]> = [
  ['line endings', lineEndings],
  ['lengths', lengths],
  ['chunks', chunking],
  ['other protocols', upgrades],
  ['request lines', targets],
  ['headers', headers],
  ['pipelines', pipelines],
];
