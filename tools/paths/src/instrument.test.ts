import { expect, test } from '@jest/globals';
import { instrument } from './instrument.ts';

const call = (name: string): string => `globalThis.parcelwayTracer.enter("a.ts", "${name}")`;

test('adds to what is there, and moves no line', () => {
  const source = 'import a from "a";\n\nexport const f = async () => {\n  await a(\n    1,\n  );\n};\n';
  const result = instrument(source, 'a.ts', false);
  expect(result.split('\n')).toHaveLength(source.split('\n').length);
  expect(result).toContain(`=> {${call('f')};`);
});

test.each([
  ['an object in parentheses', 'const f = () => ({ a: 1 });', `const f = () => ((${call('f')}, { a: 1 }));`],
  ['another function', 'const f = (a) => (b) => a;', `const f = (a) => (${call('f')}, (b) => (${call('f')}, a));`],
  ['a getter', 'const o = { get size() { return 1; } };', `const o = { get size() {${call('o.size')}; return 1; } };`],
])('names the function of %s', (_what, source, expected) => {
  expect(instrument(source, 'a.ts', true)).toBe(expected);
});

test.each([
  ['await a', 'T.resumed(await T.suspended((a)))'],
  ['await (a, b)', 'T.resumed(await (T.suspended((a, b))))'],
  ['await await a', 'T.resumed(await T.suspended((T.resumed(await T.suspended((a))))))'],
  ['(await a).b', '(T.resumed(await T.suspended((a)))).b'],
])('wraps %s', (source, expected) => {
  expect(instrument(source, 'a.ts', false).replaceAll('globalThis.parcelwayTracer', 'T')).toBe(expected);
});
