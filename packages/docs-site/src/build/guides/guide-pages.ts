import { escaped, firstSentence, inline, namesIn, plain } from '../html.ts';
import { rootFrom, type SearchEntry, type SitePage, type TocEntry } from '../site-page.ts';
import {
  type DocumentPart,
  type Heading,
  relinked,
  renderMarkdown,
  type SplitDocument,
  splitDocument,
  withoutContents,
} from './render-markdown.ts';

export interface Guide {
  readonly name: string;
  /** Its document, from docs/; default the name with `.md`. */
  readonly document?: string;
  readonly lead: string;
  /** True for a long document: each of its sections is a separate page. */
  readonly isSplit?: boolean;
}

/** The guides for merchants and warehouses, in navigation order. */
export const guides: readonly Guide[] = [
  { name: 'merchants', lead: 'Submit forecasts, upload files, query weighing and tracking; error codes and limits.', isSplit: true },
  { name: 'webhooks', lead: 'Register an endpoint, verify signatures, response, and replay what was missed.', isSplit: true },
  { name: 'warehouses', lead: 'Report arrivals, weighings, photos and dispatches.', isSplit: true },
  { name: 'station', lead: 'Scan, weigh, photograph and label parcels at a bench, with or without a network.' },
  { name: 'sdk', lead: 'Call the API from Node.js or Python, with types, retries and verified webhooks.' },
  {
    name: 'python',
    document: '../clients/python/README.md',
    lead: 'Call the API from Python, with types, retries and verified webhooks, waiting or with asyncio.',
  },
  { name: 'console', lead: 'See why a webhook failed, send it again, and look up parcels.' },
];

export const documentOf = ({ name, document = `${name}.md` }: Guide): string => document;

export interface GuideSources {
  /** Text of a document. @param path from docs/ */
  readonly document: (path: string) => string;
  /** Path of a file that guides show or link, such as `images/x.png`; undefined when it is none. */
  readonly asset: (target: string) => string | undefined;
}

interface OpenGuide {
  readonly name: string;
  readonly source: string;
  readonly lead: string;
  readonly isSplit: boolean;
  readonly document: SplitDocument;
}

interface Place {
  readonly path: string;
  readonly anchor?: string;
}

const pathOf = (name: string): string => `docs/guides/${name}`;
const words = (heading: Heading): string => plain(heading.text);
const own = (part: DocumentPart): Heading => part.headings[0] as Heading;

/** Where a link of a document leads; undefined when that is no part of the guides. @throws Error for an anchor that no heading has */
function placeOf(target: string, from: string, opened: readonly OpenGuide[]): Place | undefined {
  const [file = '', anchor] = target.split('#');
  const guide = opened.find(({ name, source }) => (file === '' ? name === from : source === file));
  if (guide === undefined) return undefined;
  const path = pathOf(guide.name);
  if (anchor === undefined) return { path };
  const section = guide.document.sections.find(({ headings }) => headings.some((heading) => heading.anchor === anchor));
  if (section === undefined) {
    if (guide.document.intro.headings.some((heading) => heading.anchor === anchor)) return { path };
    throw new Error(`The link ${target} of the guide ${from} leads to no heading`);
  }
  if (!guide.isSplit) return { path, anchor };
  const topic = own(section).anchor;
  return { path: `${path}/${topic}`, ...(anchor === topic ? {} : { anchor }) };
}

function linksOf(path: string, guide: OpenGuide, opened: readonly OpenGuide[], sources: GuideSources) {
  const root = rootFrom(path);
  const link = (ending: string) => (target: string) => {
    if (/^https?:/.test(target)) return target;
    const asset = sources.asset(target);
    if (asset !== undefined) return `${root}${asset}`;
    const place = placeOf(target, guide.name, opened);
    if (place === undefined) return undefined;
    const anchor = place.anchor === undefined ? '' : `#${place.anchor}`;
    return place.path === path && anchor !== '' ? anchor : `${root}${place.path}${ending}${anchor}`;
  };
  return { html: link(''), markdown: link('.md') };
}

const CODE_BLOCK = /^```[\s\S]*?^```$/gm;
/** Characters of the text of a part that the search knows. */
const MAX_TEXT = 10_000;

/** The text of a part by heading, as the search finds it. @param place of the part in its page; the first begins the page */
export function searchOf(part: DocumentPart, place = 0): SearchEntry[] {
  // Comments in code may look like headings.
  const guarded = part.markdown.replace(CODE_BLOCK, (block) => block.replace(/^#/gm, ' #'));
  const texts = guarded.split(/^#{1,6} .+\n/m).slice(1);
  return part.headings.map((heading, index) => ({
    id: place === 0 && index === 0 ? '' : heading.anchor,
    heading: words(heading),
    text: plain((texts[index] ?? '').replace(CODE_BLOCK, '')).slice(0, MAX_TEXT),
    code: namesIn([...(texts[index] ?? '').matchAll(CODE_BLOCK)].join('\n')),
  }));
}

/** The beginning of a part, as one sentence. What leads to code or a list says nothing without it. */
const leadOf = (part: DocumentPart): string => {
  const paragraphs = part.markdown.split(/\n\s*\n/).filter((each) => !/^(#|\||<!--|```|- |\d+\. )/.test(each.trim()) && each.trim() !== '');
  const sentences = paragraphs.map((each) => firstSentence(plain(each)));
  return sentences.find((each) => !each.endsWith(':')) ?? sentences[0]?.replace(/:$/, '.') ?? words(own(part));
};

/** What a page lists of its headings, two levels deep. @param rise as in {@link renderMarkdown} */
export function tocOf(headings: readonly Heading[], rise: number): TocEntry[] {
  return headings
    .slice(1)
    .map((heading) => ({ id: heading.anchor, text: words(heading), depth: heading.depth - rise }))
    .filter(({ depth }) => depth === 2 || depth === 3);
}

function contentsOf({ name, document }: OpenGuide): string {
  const items = document.sections.map((section) => {
    const topic = own(section);
    const link = (heading: Heading, anchor: string) => `<a href="${name}/${topic.anchor}${anchor}">${inline(plain(heading.text))}</a>`;
    const below = section.headings.slice(1).map((each) => `<li>${link(each, `#${each.anchor}`)}</li>`);
    const list = below.length === 0 ? '' : `\n<ul>${below.join('')}</ul>`;
    return `<li>${link(topic, '')}<p>${escaped(leadOf(section))}</p>${list}</li>`;
  });
  return `<ul class="contents">\n${items.join('\n')}\n</ul>\n`;
}

function introPage(guide: OpenGuide, opened: readonly OpenGuide[], sources: GuideSources): SitePage {
  const path = pathOf(guide.name);
  const links = linksOf(path, guide, opened, sources);
  const { intro, sections, title } = guide.document;
  const parts = guide.isSplit ? [intro] : [intro, ...sections];
  const headings = parts.flatMap((part) => part.headings);
  const text = parts.map(({ markdown }) => withoutContents(markdown)).join('\n');
  const list = sections.map((each) => `- [${words(own(each))}](${guide.name}/${own(each).anchor}.md): ${leadOf(each)}\n`).join('');
  return {
    path,
    title,
    lead: guide.lead,
    section: 'guides',
    html: renderMarkdown(text, { headings, rise: 0, hrefOf: links.html }) + (guide.isSplit ? contentsOf(guide) : ''),
    toc: tocOf(headings, 0),
    markdown: relinked(text, links.markdown) + (guide.isSplit ? `\n${list}` : ''),
    search: parts.flatMap((part, place) => searchOf(part, place)),
  };
}

function topicPage(guide: OpenGuide, part: DocumentPart, opened: readonly OpenGuide[], sources: GuideSources): SitePage {
  const path = `${pathOf(guide.name)}/${own(part).anchor}`;
  const links = linksOf(path, guide, opened, sources);
  return {
    path,
    title: words(own(part)),
    lead: leadOf(part),
    section: 'guides',
    html: renderMarkdown(part.markdown, { headings: part.headings, rise: 1, hrefOf: links.html }),
    toc: tocOf(part.headings, 1),
    markdown: relinked(part.markdown.replace(/^##/, '#'), links.markdown),
    search: searchOf(part),
  };
}

/** The pages of a guide: the guide itself, then its topics. */
export interface GuidePages {
  readonly name: string;
  readonly pages: readonly [SitePage, ...SitePage[]];
}

/** Makes the pages of all guides. @throws Error for a link to an anchor that no heading has */
export function guidePages(sources: GuideSources): GuidePages[] {
  const opened = guides.map((guide) => ({
    name: guide.name,
    source: documentOf(guide),
    lead: guide.lead,
    isSplit: guide.isSplit ?? false,
    document: splitDocument(sources.document(documentOf(guide))),
  }));
  return opened.map((guide) => {
    const topics = guide.isSplit ? guide.document.sections.map((part) => topicPage(guide, part, opened, sources)) : [];
    return { name: guide.name, pages: [introPage(guide, opened, sources), ...topics] };
  });
}

export function guideListPage(all: readonly GuidePages[]): SitePage {
  const path = 'docs/guides';
  const items = all.map(({ name, pages: [first] }) => ({ name, title: first.title, lead: first.lead }));
  const lead = 'How the pieces of the platform behave, for those who integrate with it.';
  return {
    path,
    title: 'Guides',
    lead,
    section: 'guides',
    html: `<h1>Guides</h1>\n<p>${lead}</p>\n<ul class="contents">\n${items
      .map((each) => `<li><a href="guides/${each.name}">${escaped(each.title)}</a><p>${escaped(each.lead)}</p></li>`)
      .join('\n')}\n</ul>\n`,
    toc: [],
    markdown: `# Guides\n\n${lead}\n\n${items.map((each) => `- [${each.title}](guides/${each.name}.md): ${each.lead}`).join('\n')}\n`,
    search: [{ id: '', heading: 'Guides', text: lead }],
  };
}
