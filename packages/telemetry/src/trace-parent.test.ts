import { describe, expect, test } from '@jest/globals';
import { formatTraceParent, newTraceParent, parseTraceParent, passableTraceParent, traceIdOf } from './trace-parent.ts';
import { passingTracer } from './tracer.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

describe('a traceparent', () => {
  test('is read, whatever its flags', () => {
    expect(parseTraceParent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId });
    expect(parseTraceParent(`00-${traceId}-${spanId}-00`)).toEqual({ traceId, spanId });
  });

  test('of a later version is read as far as it is known', () => {
    expect(parseTraceParent(`01-${traceId}-${spanId}-01-more`)).toEqual({ traceId, spanId });
  });

  test('of a later version is passed on in ours, without its further text', () => {
    const more = 'x'.repeat(10_000);
    expect(passableTraceParent(`01-${traceId}-${spanId}-03-${more}`)).toBe(`00-${traceId}-${spanId}-01`);
    expect(passableTraceParent(`cc-${traceId}-${spanId}-00`)).toBe(`00-${traceId}-${spanId}-00`);
    const own = `00-${traceId}-${spanId}-03`;
    expect(passableTraceParent(own)).toBe(own);
    for (const none of [undefined, '', `00-${traceId}-${spanId}-01-${more}`]) expect(passableTraceParent(none)).toBeUndefined();
    expect(passingTracer.start('', { kind: 'server', parent: `01-${traceId}-${spanId}-01-${more}` }).traceparent).toHaveLength(55);
  });

  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['capital letters', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['a span id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['the forbidden version', `ff-${traceId}-${spanId}-01`],
    ['version 00 with something behind it', `00-${traceId}-${spanId}-01-more`],
    ['a missing part', `00-${traceId}-01`],
    ['a line break', `00-${traceId}-${spanId}-01\n`],
  ])('%s is none', (_name, text) => {
    expect(parseTraceParent(text)).toBeUndefined();
  });

  test('is written as it is read', () => {
    const text = formatTraceParent({ traceId, spanId }, true);
    expect(text).toBe(`00-${traceId}-${spanId}-01`);
    expect(traceIdOf(text)).toBe(traceId);
  });

  test('that is made is valid and differs from the others, past one draw of random bytes', () => {
    const made = Array.from({ length: 1000 }, newTraceParent);
    for (const text of made) expect(parseTraceParent(text)).toBeDefined();
    expect(new Set(made.map(traceIdOf)).size).toBe(1000);
  });
});
