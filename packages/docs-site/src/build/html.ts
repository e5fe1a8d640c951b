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

/** A text with a full stop at its end, unless it has an end mark or is empty. */
export const sentence = (text: string): string => (text === '' || /[.!?]$/.test(text) ? text : `${text}.`);
