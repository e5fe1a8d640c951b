import { expect, test } from '@jest/globals';
import { escaped, firstSentence, inline, namesIn, paragraphs, plain } from './html.ts';

test('text is shown as it is written', () => {
  expect(escaped('<a href="x">&</a>')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;&lt;/a&gt;');
});

test('a line keeps its code and its strong text, and no HTML', () => {
  expect(inline('**Keys** `a<b>` <i> ` alone')).toBe('<strong>Keys</strong> <code>a&lt;b&gt;</code> &lt;i&gt; ` alone');
});

test('an empty line begins a paragraph', () => {
  expect(paragraphs('one\n\ntwo')).toBe('<p>one</p>\n<p>two</p>');
});

test('a search finds words and no marks', () => {
  expect(plain('## A [b](c.md)\n\n| `d` | **e** |\n|---|---|\n<!-- f -->\n```sh\ng\n```')).toBe('A b d e g');
});

test('the first sentence ends at a full stop before a blank', () => {
  expect(firstSentence('Version 1.2 works. More.')).toBe('Version 1.2 works.');
  expect(firstSentence('See this: a table. More.')).toBe('See this: a table.');
  expect(firstSentence('These are:')).toBe('These are:');
  expect(firstSentence('no end')).toBe('no end');
});

test('the names in code are there once, without keys and ids', () => {
  expect(namesIn('from x import verify_webhook\nverify_webhook(po, "evt_019ab36d4cd8", 2025)')).toBe('from import verify_webhook');
});
