import { createRequire } from 'node:module';
import { type Samples, sampleLanguages } from './samples/samples.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

/** One line of Markdown as HTML: code in backticks and strong text. Everything else stays as it is written. */
export function inline(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.length > 2 && part.startsWith('`') && part.endsWith('`')
        ? `<code>${escaped(part.slice(1, -1))}</code>`
        : escaped(part).replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>'),
    )
    .join('');
}

/** Paragraphs of one line each. @param text with an empty line between them */
export const paragraphs = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((each) => `<p>${inline(each)}</p>`)
    .join('\n');

export const plain = (markdown: string): string =>
  markdown
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^#+ |^```.*$|^\|[-| :]+\|$/gm, ' ')
    .replace(/[`*]/g, '')
    .replaceAll('|', ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The first sentence of a text without marks; it ends with a colon where it leads to what follows the text. */
export const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;

/** Longest name that a search knows, and most digits in it: others are keys, signatures and ids. */
const MAX_NAME = 40;
const MAX_DIGITS = 4;

/** The names in code, each once: of classes, fields, variables and packages. */
export function namesIn(code: string): string {
  const names = code.match(/[A-Za-z_]\w{2,}/g) ?? [];
  return [...new Set(names)].filter((name) => name.length <= MAX_NAME && name.replace(/\D/g, '').length <= MAX_DIGITS).join(' ');
}

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
export const codeBlock = (code: string, fence: string, label: string): string =>
  `<div class="code"><button type="button" class="copy-code" hidden data-zh="复制">Copy</button><pre tabindex="0" aria-label="${escaped(label)}" role="group"><code>${highlighted(code, fence)}\n</code></pre></div>`;

/** Code in several languages, with a switch. Without scripts it shows the first language and a link to all languages. */
export function sampleTabs(samples: Samples, label: string, markdownHref: string): string {
  const languages = sampleLanguages.filter(({ id }) => samples[id] !== undefined);
  const buttons = languages.map(
    ({ id, name }, index) => `<button type="button" data-choose="${id}" aria-pressed="${index === 0}">${name}</button>`,
  );
  const blocks = languages.map(({ id, name, fence }, index) => {
    const block = codeBlock(samples[id] ?? '', fence, `${label}, ${name}`);
    return `<div data-sample="${id}"${index === 0 ? '' : ' hidden'}>${block}</div>`;
  });
  return `<div class="samples" data-samples>
<div class="sample-languages" role="group" aria-label="Language of the sample" data-zh-label="示例语言" hidden>${buttons.join('')}</div>
<p class="without-script"><a href="${escaped(markdownHref)}">All languages, as text</a></p>
${blocks.join('\n')}
</div>`;
}

/** The same in Markdown. @param ids of the languages to show; default all */
export const sampleFences = (samples: Samples, ids: readonly string[] = sampleLanguages.map(({ id }) => id)): string =>
  sampleLanguages
    .filter(({ id }) => samples[id] !== undefined && ids.includes(id))
    .map(({ id, name, fence }) => `${name}:\n\n\`\`\`${fence}\n${samples[id]}\n\`\`\``)
    .join('\n\n');
