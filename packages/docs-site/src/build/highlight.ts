import { createRequire } from 'node:module';
import { escaped } from './html.ts';

/** What is used of highlight.js. Its own types bring those of browsers into everything that imports them. */
interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { readonly language: string }): { readonly value: string };
}

const load = createRequire(import.meta.url);
const highlighter = load('highlight.js/lib/core') as Highlighter;
for (const name of ['bash', 'go', 'java', 'javascript', 'json', 'php', 'python', 'typescript'])
  highlighter.registerLanguage(name, load(`highlight.js/lib/languages/${name}`));

/** Code as HTML, with the classes of its parts. @param language as a fence of Markdown names it; another one stays plain */
export function highlighted(code: string, language: string): string {
  return highlighter.getLanguage(language) === undefined ? escaped(code) : highlighter.highlight(code, { language }).value;
}
