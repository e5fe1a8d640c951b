import { escaped } from '../html.ts';
import { wordsZh } from './words-zh.ts';

/** The attribute that holds the Chinese for the text of an element; the script of the site puts it in. Empty for a text without Chinese. */
export function inChinese(text: string): string {
  const zh = wordsZh[text];
  return zh === undefined ? '' : ` data-zh="${escaped(zh)}"`;
}
