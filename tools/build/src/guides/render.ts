import { Marked, type RendererObject, type Tokens } from 'marked';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

/** The anchor that GitHub gives a heading: lower case, letters, digits, blanks and hyphens only, blanks to hyphens. */
function anchorOf(heading: string) {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/**
 * Renders a document of docs/ as the body of a page. Headings have the anchors that they have in the repository.
 * @param hrefOf where a link or image of the document leads; undefined when that is no
 *   part of the guides: then its text stays without a link
 * @returns the text of the first heading, and the body
 * @throws Error on HTML in the document, other than comments and line breaks
 */
export function renderGuide(markdown: string, hrefOf: (target: string) => string | undefined): { title: string; html: string } {
  const anchors = new Set<string>();
  let title = '';
  const unique = (heading: string) => {
    const anchor = anchorOf(heading);
    let free = anchor;
    for (let count = 1; anchors.has(free); count += 1) free = `${anchor}-${count}`;
    anchors.add(free);
    return free;
  };
  const renderer: RendererObject = {
    heading({ tokens, depth, text }: Tokens.Heading) {
      if (depth === 1 && title === '') title = text;
      return `<h${depth} id="${escaped(unique(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
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
    code({ text }: Tokens.Code) {
      return `<pre tabindex="0"><code>${escaped(text)}\n</code></pre>\n`;
    },
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
  const html = new Marked({ renderer }).parse(markdown, { async: false });
  return { title, html };
}

const MARK =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7"/><path d="M8 12l8-4 8 4v9l-8 4-8-4zM8 12l8 4 8-4M16 16v9"/></svg>';

/** What a page of the guides consists of. */
export interface Page {
  readonly title: string;
  /** Body of the page. */
  readonly html: string;
  /** Name of the guide; empty for the list of all. */
  readonly current: string;
  /** All guides, for the navigation. */
  readonly guides: readonly { readonly name: string; readonly title: string }[];
  /** Name of the style sheet. */
  readonly style: string;
}

/** A whole page in the look of the console. */
export function renderPage({ title, html, current, guides, style }: Page): string {
  // Relative, so that the pages work under whatever prefix a proxy puts in front: the list is /docs/guides, a guide one below.
  const [here, root] = current === '' ? ['guides/', '../'] : ['', '../../'];
  const list = guides
    .map(({ name, title: text }) => `<a href="${here}${name}"${name === current ? ' aria-current="page"' : ''}>${escaped(text)}</a>`)
    .join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)} · Parcelway</title>
<link rel="icon" type="image/png" href="${root}docs/favicon-32x32.png">
<link rel="stylesheet" href="${here}assets/${style}">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<div class="bar-inside">
<span class="brand">${MARK}<span class="brand-name">Parcelway</span></span>
<nav class="sections" aria-label="Main">
<a href="${current === '' ? 'guides' : '../guides'}"${current === '' ? ' aria-current="page"' : ''}>Guides</a>
<a href="${root}docs">API reference</a>
<a href="${root}console">Console</a>
</nav>
</div>
</header>
<div class="guide-columns">
<nav class="guide-list" aria-label="Guides">
${list}
</nav>
<main id="content" class="guide" tabindex="-1">
${html}</main>
</div>
</body>
</html>
`;
}

/** The list of all guides. */
export function renderList(guides: ReadonlyArray<{ name: string; title: string; lead: string }>) {
  const items = guides.map(({ name, title, lead }) => `<li><a href="guides/${name}">${escaped(title)}</a><br>${escaped(lead)}</li>`);
  return `<h1>Guides</h1>\n<p>How the pieces of the platform behave, for those who integrate with it.</p>\n<ul>\n${items.join('\n')}\n</ul>\n`;
}
