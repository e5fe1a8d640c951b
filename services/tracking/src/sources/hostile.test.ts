// What every source does with bodies that no vendor should send. What the form of one vendor adds to it is tested beside its source.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { isTerminalAdminStatus } from '@parcelway/contracts/admin-status';
import { codedSources, NUMBER, rawParcel, rawRows, rawTrace } from '../testing/vendor-rows.ts';
import { instantOf, MAX_NODES } from '../watch/domain/node.ts';
import { trackingSources } from './source-list.ts';
import { EMPTY_TRACE, type Trace } from './trace.ts';

const long = `a\u0000\n\ud800${'\ud83d\ude00'.repeat(5000)}`;
const deep: unknown = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
const oddValues: readonly unknown[] = [
  null,
  undefined,
  0,
  -1,
  2 ** 60,
  Number.POSITIVE_INFINITY,
  true,
  '',
  ' ',
  'x',
  [],
  [[]],
  {},
  '\ud800',
  long,
  deep,
];
const prototypeNames = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

/** What every trace promises to those who store it. */
function expectStorable({ nodes, unknownCodes }: Trace): void {
  expect(nodes.length).toBeLessThanOrEqual(MAX_NODES);
  for (const { createTime, times, orderNo } of nodes) {
    expect(instantOf(createTime, times)).toBeDefined();
    expect(orderNo.length).toBeLessThanOrEqual(100);
  }
  for (const { address, content, status } of nodes) {
    expect([address.length <= 500, content.length <= 2000, status.length <= 200]).toEqual([true, true, true]);
    expect(`${address}${content}${status}`).not.toMatch(/[\p{Cc}\p{Surrogate}]/u);
  }
  expect(unknownCodes.every((code) => code.length <= 201)).toBe(true);
  expect(new Set(unknownCodes).size).toBe(unknownCodes.length);
}

/** Copies of a value of JSON, each with another part replaced, parts of parts too. */
function replacedIn(value: unknown, by: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => [by, ...replacedIn(part, by)].map((other) => ({ ...value, [name]: other })));
}

describe.each(codedSources)('%s', (name) => {
  const statuses = JSON.parse(readFileSync(new URL(`./${name}/fixtures/statuses.json`, import.meta.url), 'utf8')) as Record<
    string,
    unknown[]
  >;
  const [underWay, delivered] = ['In Transit', 'Delivery Success'].map((status) => statuses[status]?.[0]) as [string, string];
  const [good = {}] = rawRows(name, [{ code: underWay }]);
  const place = {
    location: { address: { countryCode: 'US', addressRegion: 'CA', city: 'x' } },
    address: { city: 'x', country: 'US' },
    city: 'x',
  };
  const translate = (raw: unknown, trackingNumber = NUMBER): Trace => {
    const trace = trackingSources.get(name)?.translate(raw, { trackingNumber, dispatchedAt: 0 }) ?? EMPTY_TRACE;
    expectStorable(trace);
    return trace;
  };
  const ofRows = (...rows: unknown[]): Trace => translate(rawParcel(name, rows));

  test.each([undefined, 5, true, 'x'])('%j is nothing of the vendor', (raw) => {
    expect(() => translate(raw)).toThrow(Error);
  });

  test.each([undefined, null, {}, 'x', 5, true, deep])('a list of rows that is none has no rows, or is refused', (rows) => {
    let nodes: Trace['nodes'] = [];
    try {
      ({ nodes } = translate(rawParcel(name, rows)));
    } catch (error) {
      expect(error).not.toBeInstanceOf(RangeError);
    }
    expect(nodes).toEqual([]);
  });

  test.each(oddValues.map((value, index) => [index, value]))('a wrong row costs no other (%d)', (_index, value) => {
    const { nodes, leftOut } = ofRows(value, good);
    expect(nodes).toMatchObject([{ content: 'Scan', adminStatus: 'In Transit' }]);
    expect(leftOut).toBe(1);
  });

  test('a wrong value in any field of a row costs no other', () => {
    for (const value of oddValues) {
      for (const row of replacedIn({ ...place, ...good }, value)) expect(ofRows(row, good).nodes.length).toBeGreaterThan(0);
    }
  });

  test('a wrong value in any field of a parcel is read or refused', () => {
    for (const value of oddValues) {
      for (const raw of replacedIn(rawParcel(name, [good]), value)) {
        try {
          translate(raw);
        } catch (error) {
          expect(error).not.toBeInstanceOf(RangeError);
          expect(error).not.toBeInstanceOf(TypeError);
        }
      }
    }
  });

  test('names of the prototype are codes like others, and what hangs on it says nothing', () => {
    const { nodes, unknownCodes } = translate(
      rawTrace(
        name,
        prototypeNames.map((code) => ({ code })),
      ),
    );
    expect(nodes.map(({ adminStatus }) => adminStatus)).toEqual(prototypeNames.map(() => 'In Transit'));
    expect(unknownCodes).toHaveLength(prototypeNames.length);
    const [final] = rawRows(name, [{ code: delivered }]);
    const inherited: unknown = JSON.parse(`{"__proto__":${JSON.stringify(final)}}`);
    const trace = ofRows(inherited, { ...good, ...(inherited as object) });
    expect(trace.nodes.some(({ adminStatus }) => isTerminalAdminStatus(adminStatus))).toBe(false);
  });

  test('of too many rows the newest are kept', () => {
    const rows = Array.from({ length: MAX_NODES + 5 }, (_, index) => ({ code: underWay, text: `Scan ${index}` }));
    const { nodes, leftOut } = translate(rawTrace(name, rows));
    const shown = nodes.map(({ content }) => Number(content.slice('Scan '.length)));
    expect([nodes.length, Math.min(...shown), Math.max(...shown), leftOut]).toEqual([MAX_NODES, 5, MAX_NODES + 4, 5]);
  });
});
