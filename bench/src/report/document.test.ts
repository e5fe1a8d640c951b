import { describe, expect, test } from '@jest/globals';
import { withResults } from './document.ts';

describe('withResults', () => {
  test('replaces what is between the marks, again and again', () => {
    const document = 'before\n<!-- bench:begin -->\nold\n<!-- bench:end -->\nafter\n';
    const once = withResults(document, 'new', 'embedded');
    expect(once).toBe('before\n<!-- bench:begin -->\nnew\n<!-- bench:end -->\nafter\n');
    expect(withResults(once, 'new', 'embedded')).toBe(once);
  });

  test('leaves the results of the other mode as they are', () => {
    const embedded = '<!-- bench:begin -->\none\n<!-- bench:end -->\n';
    const document = `${embedded}<!-- bench-distributed:begin -->\ntwo\n<!-- bench-distributed:end -->\n`;
    expect(withResults(document, 'new', 'distributed')).toBe(document.replace('two', 'new'));
    expect(withResults(document, 'new', 'embedded')).toBe(document.replace('one', 'new'));
  });

  test('refuses a document without marks', () => {
    expect(() => withResults('nothing', 'new', 'embedded')).toThrow('no place for results');
  });
});
