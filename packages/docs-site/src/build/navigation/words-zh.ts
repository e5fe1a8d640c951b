import { readFileSync } from 'node:fs';
import { escaped } from '../html.ts';

/** The attribute that holds the Chinese for the text of an element; the script of the site puts it in. Empty for a text without Chinese. */
export function inChinese(text: string): string {
  const zh = wordsZh[text];
  return zh === undefined ? '' : ` data-zh="${escaped(zh)}"`;
}

/** Titles and words of the navigation in Chinese. */
export const wordsZh = JSON.parse(readFileSync(new URL('../../../src/templates/words-zh.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, string>
>;
