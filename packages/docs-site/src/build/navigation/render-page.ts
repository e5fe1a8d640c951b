import { escaped } from '../html.ts';
import { rootFrom, type SitePage } from '../site-page.ts';
import { groupsOf, neighboursOf, type SiteOutline } from './navigation.ts';
import { inChinese, wordsZh } from './words-zh.ts';

/** Names of what the build has put into `docs/assets`. */
export interface SiteAssets {
  readonly script: string;
  readonly style: string;
  readonly icon: string;
  readonly searchIndex: string;
}

const MARK =
  '<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7"/><path d="M8 12l8-4 8 4v9l-8 4-8-4zM8 12l8 4 8-4M16 16v9"/></svg>';

const word = (text: string): string => `<span${inChinese(text)}>${escaped(text)}</span>`;

/** An attribute `aria-label` in both languages. */
const label = (text: string): string => {
  const zh = wordsZh[text];
  return `aria-label="${escaped(text)}"${zh === undefined ? '' : ` data-zh-label="${escaped(zh)}"`}`;
};

const link = (href: string, text: string, isCurrent: boolean): string =>
  `<a href="${href}"${isCurrent ? ' aria-current="page"' : ''}${inChinese(text)}>${escaped(text)}</a>`;

function header(page: SitePage, root: string): string {
  const sections = [
    ['docs', 'Start', 'start'],
    ['docs/guides', 'Guides', 'guides'],
    ['docs/api', 'API reference', 'api'],
  ] as const;
  const links = sections.map(
    ([path, text, section]) =>
      `<a href="${root}${path}"${page.section === section ? ` aria-current="${page.path === path ? 'page' : 'true'}"` : ''}${inChinese(text)}>${text}</a>`,
  );
  return `<header class="bar">
<div class="bar-inside">
<a class="brand" href="${root}docs" aria-label="Parcelway">${MARK}<span class="brand-name">Parcelway</span></a>
<nav class="sections" aria-label="Main">
${links.join('\n')}
<a href="${root}console"${inChinese('Console')}>Console</a>
</nav>
<span class="bar-end">
<button type="button" class="search-open" data-search-open hidden aria-keyshortcuts="/">${word('Search')} <kbd aria-hidden="true">/</kbd></button>
<select class="language" data-language aria-label="Language / 语言" hidden></select>
</span>
</div>
</header>`;
}

function side(page: SitePage, outline: SiteOutline, root: string): string {
  const groups = groupsOf(page, outline).map(({ title, entries }) => {
    const list = entries.map(({ path, title: text }) => `<li>${link(`${root}${path}`, text, path === page.path)}</li>`).join('\n');
    if (title === undefined) return `<ul>\n${list}\n</ul>`;
    const isOpen = entries.some(({ path }) => path === page.path);
    return `<details${isOpen ? ' open' : ''}><summary>${word(title)}</summary>\n<ul>\n${list}\n</ul>\n</details>`;
  });
  return `<nav class="side" id="navigation" ${label('Documentation')}>\n${groups.join('\n')}\n</nav>`;
}

function contents({ toc }: SitePage): string {
  if (toc.length < 2) return '';
  const items = toc.map(({ id, text, depth }) => `<li class="depth-${depth}"><a href="#${escaped(id)}">${escaped(text)}</a></li>`);
  return `<aside class="toc"><nav ${label('On this page')}>\n<p class="toc-title">${word('On this page')}</p>\n<ul>\n${items.join('\n')}\n</ul>\n</nav></aside>`;
}

function neighbours(page: SitePage, outline: SiteOutline, root: string): string {
  const [previous, next] = neighboursOf(page, outline);
  const to = (rel: string, text: string, target?: SitePage): string =>
    target === undefined
      ? ''
      : `<a class="${rel}" rel="${rel}" href="${root}${target.path}">${word(text)}<strong${inChinese(target.title)}>${escaped(target.title)}</strong></a>`;
  return `<nav class="neighbours" aria-label="Pages">\n${to('prev', 'Previous', previous)}\n${to('next', 'Next', next)}\n</nav>`;
}

/** A whole page: what it says, with the navigation around it. It is readable without script. */
export function renderPage(page: SitePage, outline: SiteOutline, assets: SiteAssets): string {
  const root = rootFrom(page.path);
  const asset = (name: string): string => `${root}docs/assets/${name}`;
  const markdown = `${page.path.split('/').at(-1)}.md`;
  return `<!doctype html>
<html lang="en" data-root="${root}" data-search-index="${asset(assets.searchIndex)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escaped(page.lead)}">
<title>${escaped(page.title)} · Parcelway</title>
<link rel="icon" type="image/svg+xml" href="${asset(assets.icon)}">
<link rel="stylesheet" href="${asset(assets.style)}">
<link rel="alternate" type="text/markdown" href="${markdown}">
<script type="module" src="${asset(assets.script)}"></script>
</head>
<body>
<a class="skip" href="#content"${inChinese('Skip to content')}>Skip to content</a>
${header(page, root)}
<div class="columns${page.isWide ? ' wide-page' : ''}">
<a class="menu" href="#navigation">${word('Menu')}</a>
${side(page, outline, root)}
<main id="content" class="article" lang="en" tabindex="-1">
${page.html}<footer class="page-end" lang="en">
${neighbours(page, outline, root)}
<p><a href="${markdown}"${inChinese('This page as Markdown')}>This page as Markdown</a></p>
</footer>
</main>
${contents(page)}
</div>
</body>
</html>
`;
}
