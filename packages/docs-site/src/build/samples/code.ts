import { createRequire } from 'node:module';
import { escaped } from '../html.ts';
import { render } from '../template.ts';
import { type Samples, sampleLanguages } from './samples.ts';

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

/** Code as HTML, with the classes of its parts. @param language as in a Markdown fence; an unknown one stays plain */
export const highlighted = (code: string, language: string): string =>
  highlighter.getLanguage(language) === undefined ? escaped(code) : highlighter.highlight(code, { language }).value;

/** A block of code with a button that copies it, which the script of the site shows. @param label accessible name of the block */
export const codeBlock = (code: string, fence: string, label: string): string => render('html/code', { code, fence, label, highlighted });

/** Code in several languages, with a switch. Without scripts it shows the first language and a link to all languages. */
export function sampleTabs(samples: Samples, label: string, markdownHref: string): string {
  const languages = sampleLanguages.filter(({ id }) => samples[id] !== undefined);
  return render('html/sample-tabs', { samples, languages, label, markdownHref, codeBlock });
}

/** The same in Markdown. @param ids of the languages to show; default all */
export const sampleFences = (samples: Samples, ids: readonly string[] = sampleLanguages.map(({ id }) => id)): string =>
  sampleLanguages
    .filter(({ id }) => samples[id] !== undefined && ids.includes(id))
    .map(({ id, name, fence }) => `${name}:\n\n\`\`\`${fence}\n${samples[id]}\n\`\`\``)
    .join('\n\n');
