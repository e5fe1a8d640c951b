const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text for HTML, in an attribute as well. */
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

/** Markdown without its marks, as a search finds it. */
export const plain = (markdown: string): string =>
  markdown
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^#+ |^```.*$|^\|[-| :]+\|$/gm, ' ')
    .replace(/[`*]/g, '')
    .replaceAll('|', ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** The first sentence of a text without marks. */
export const firstSentence = (text: string): string => /^.*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
