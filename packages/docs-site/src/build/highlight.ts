import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import { escaped } from './html.ts';

const languages = { bash, go, java, javascript, json, php, python, typescript };
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

/** Code as HTML, with the classes of its parts. @param language as a fence of Markdown names it; another one stays plain */
export function highlighted(code: string, language: string): string {
  return hljs.getLanguage(language) === undefined ? escaped(code) : hljs.highlight(code, { language }).value;
}
