import { describe, expect, test } from '@jest/globals';
import { parseWrk } from './wrk.ts';

const REPORT = `Running 3s test @ https://localhost:1/
  1 threads and 50 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     3.13ms    1.22ms  25.06ms   92.55%
    Req/Sec    16.21k     1.11k   17.62k    86.67%
  48372 requests in 3.00s, 38.57MB read
Requests/sec:  16119.76
Transfer/sec:     12.85MB
`;

describe('parseWrk', () => {
  test('reads requests and rate', () => {
    expect(parseWrk(REPORT)).toEqual({ requests: 48372, perSecond: 16119.76 });
  });

  test('does not count refusals and broken connections as speed', () => {
    expect(() => parseWrk(`${REPORT}  Non-2xx or 3xx responses: 12\n`)).toThrow('12 responses');
    expect(() => parseWrk(`${REPORT}  Socket errors: connect 0, read 3, write 0, timeout 0\n`)).toThrow('read 3');
    expect(() => parseWrk('')).toThrow('No report');
  });
});
