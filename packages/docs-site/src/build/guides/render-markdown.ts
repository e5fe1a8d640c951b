import { Marked, type RendererObject, type Tokens } from 'marked';
import { escaped } from '../html.ts';
import { highlighted } from '../samples/code.ts';

export interface Heading {
  readonly depth: number;
  readonly text: string;
  readonly anchor: string;
}

/** A part of a document: what comes before the first section, or a section. */
export interface DocumentPart {
  readonly headings: readonly Heading[];
  readonly markdown: string;
}

export interface SplitDocument {
  readonly title: string;
  readonly intro: DocumentPart;
  readonly sections: readonly DocumentPart[];
}

/** The anchor that GitHub gives a heading: lower case, letters, digits, blanks and hyphens only, blanks to hyphens. */
function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/**
 * Splits a document at its headings of the second level. Anchors are those of the whole document: a heading that comes again gets `-1`, `-2`, …
 * @throws Error for a document that does not begin with its title
 */
export function splitDocument(markdown: string): SplitDocument {
  const anchors = new Set<string>();
  const unique = (heading: string): string => {
    const anchor = anchorOf(heading);
    let free = anchor;
    for (let count = 1; anchors.has(free); count += 1) free = `${anchor}-${count}`;
    anchors.add(free);
    return free;
  };
  const parts: Array<{ headings: Heading[]; markdown: string }> = [{ headings: [], markdown: '' }];
  for (const token of new Marked().lexer(markdown)) {
    if (token.type === 'heading' && token['depth'] === 2) parts.push({ headings: [], markdown: '' });
    const part = parts.at(-1) as (typeof parts)[number];
    if (token.type === 'heading') part.headings.push({ depth: token['depth'], text: token['text'], anchor: unique(token['text']) });
    part.markdown += token.raw;
  }
  const [intro, ...sections] = parts.map((part) => ({ ...part, markdown: `${part.markdown.trim()}\n` }));
  const title = intro?.headings[0];
  if (intro === undefined || title?.depth !== 1) throw new Error('A guide begins with its title, a heading of the first level');
  return { title: title.text, intro, sections };
}

/** The introduction without its list of sections, which the navigation shows anyway, and of the documents at the end of that list. */
export const withoutContents = (markdown: string): string =>
  markdown.replace(/(?:^- \[[^\]]*\]\(#[^)]*\)\n)+(?:^- \[[^\]]*\]\([a-z-]+\.md\)\n)*/m, '');

export interface RenderOptions {
  readonly headings: readonly Heading[];
  /** How many levels its headings rise: 1 for a section on a separate page. */
  readonly rise: number;
  /** Where a link or image leads; undefined when that is no part of the guides: then its text stays without a link. */
  readonly hrefOf: (target: string) => string | undefined;
  /** HTML of a block of code. @param heading above it */
  readonly code?: (text: string, language: string, heading: string) => string;
}

const plainCode = (text: string, language: string): string => `<pre tabindex="0"><code>${highlighted(text, language)}\n</code></pre>`;

/**
 * Renders a part of a document as the body of a page. Headings have the anchors that they have in the repository.
 * @throws Error on HTML in the document, other than comments and line breaks
 */
export function renderMarkdown(markdown: string, { headings, rise, hrefOf, code = plainCode }: RenderOptions): string {
  const inOrder = headings.values();
  let above: Heading | undefined;
  const renderer: RendererObject = {
    heading({ tokens, depth }: Tokens.Heading) {
      const level = Math.max(1, depth - rise);
      above = inOrder.next().value;
      return `<h${level} id="${escaped(above?.anchor ?? '')}">${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    link({ href, tokens }: Tokens.Link) {
      const text = this.parser.parseInline(tokens);
      const target = hrefOf(href);
      if (target === undefined) return `<span title="${escaped(href)} in the repository of the platform">${text}</span>`;
      return `<a href="${escaped(target)}">${text}</a>`;
    },
    image({ href, text }: Tokens.Image) {
      const source = hrefOf(href);
      if (source === undefined) throw new Error(`The image ${href} is no part of the guides`);
      return `<img src="${escaped(source)}" alt="${escaped(text)}" loading="lazy">`;
    },
    code: ({ text, lang = '' }: Tokens.Code) => `${code(text, lang, above?.text ?? '')}\n`,
    table({ header, rows }: Tokens.Table) {
      const cell = (name: string, { tokens }: Tokens.TableCell) => `<${name}>${this.parser.parseInline(tokens)}</${name}>`;
      const head = header.map((each) => cell('th scope="col"', each).replace('</th scope="col">', '</th>')).join('');
      const body = rows.map((row) => `<tr>${row.map((each) => cell('td', each)).join('')}</tr>`).join('\n');
      // It scrolls by itself where the page is narrow; the keyboard reaches it there.
      return `<div class="table-frame" role="group" aria-label="Table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>\n`;
    },
    html({ text }: Tokens.HTML | Tokens.Tag) {
      if (/^<br\s*\/?>$/.test(text.trim())) return '<br>';
      if (text.replace(/<!--[\s\S]*?-->/g, '').trim() === '') return '';
      throw new Error(`A guide may hold no HTML: ${text}`);
    },
  };
  return new Marked({ renderer }).parse(markdown, { async: false });
}

/** Code in a line, which stays as it is, or a link, whose text may hold code. */
const CODE_OR_LINK = /`[^`\n]+`|\[((?:`[^`\n]*`|[^\]`])*)\]\(([^)\s]+)\)/g;

/** A part with other targets of its links, and without comments; code stays as it is. @param hrefOf as for the page */
export function relinked(markdown: string, hrefOf: (target: string) => string | undefined): string {
  const relink = (whole: string, text?: string, target?: string): string => {
    if (text === undefined || target === undefined) return whole;
    const href = hrefOf(target);
    return href === undefined ? text : `[${text}](${href})`;
  };
  return markdown
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/<!--[\s\S]*?-->\n*/g, '').replace(CODE_OR_LINK, relink)))
    .join('');
}
