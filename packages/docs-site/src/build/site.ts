import MiniSearch from 'minisearch';
import { type IndexedPart, searchOptions } from '../search/search-options.ts';
import { type GuideSources, guideListPage, guidePages } from './guides/guide-pages.ts';
import { pagesOf, type SiteOutline } from './navigation/navigation.ts';
import { renderPage, type SiteAssets } from './navigation/render-page.ts';
import { wordsZh } from './navigation/words-zh.ts';
import { clientCalls } from './reference/operation.ts';
import { referencePage, tagPages } from './reference/tag-pages.ts';
import { webhookPage } from './reference/webhook-page.ts';
import type { SitePage } from './site-page.ts';
import { type JourneyCode, journeyPage, startPage } from './start/start-pages.ts';

export interface SiteSources extends GuideSources, JourneyCode {}

/** Makes all pages, without their navigation. @throws Error when a document or the contract lacks something */
export function siteOutline(sources: SiteSources): SiteOutline {
  const guides = guidePages(sources);
  return {
    start: [startPage(sources), journeyPage(sources)],
    guideList: guideListPage(guides),
    guides,
    reference: [referencePage(), ...tagPages(clientCalls(sources.document)), webhookPage()],
  };
}

/** Path at the gateway → text, for every page in HTML and Markdown and for the texts of language models. */
export function siteFiles(outline: SiteOutline, assets: SiteAssets): ReadonlyMap<string, string> {
  return new Map([
    ...pagesOf(outline).flatMap((page): [string, string][] => [
      [`${page.path}.html`, renderPage(page, outline, assets)],
      [`${page.path}.md`, page.markdown],
    ]),
    ['llms.txt', llmsText(outline)],
  ]);
}

const SUMMARY =
  'Parcelway is an open platform for cross-border warehousing and parcel delivery. Merchants announce parcels over an HTTPS/JSON API, warehouses report what they weigh and photograph, and signed webhooks report what happens.';

const line = ({ path, title, lead }: SitePage): string => `- [${title}](${path}.md): ${lead.replaceAll('\n', ' ')}`;
const list = (title: string, pages: readonly SitePage[]): string => `## ${title}\n\n${pages.map(line).join('\n')}`;

/** `llms.txt`: the pages with a line each, as llmstxt.org asks for it. Links are relative to it. */
export function llmsText({ start, guideList, guides, reference }: SiteOutline): string {
  const byGuide = guides.map(({ pages }) => list(pages.length > 1 ? pages[0].title : `${pages[0].title} (guide)`, pages));
  const documents = [
    '- [OpenAPI document](openapi.json): the API, for generators of clients',
    '- [AsyncAPI document](asyncapi.json): events between services and topics of warehouses',
  ];
  return `${[
    `# Parcelway\n\n> ${SUMMARY}`,
    'Send the key in the header `X-Api-Key`. Every response has `code`, `message` and `data`; `code` is `"0"` on success.',
    list('Start', [...start, guideList]),
    ...byGuide,
    list('API reference', reference),
    `## Optional\n\n${documents.join('\n')}`,
  ].join('\n\n')}\n`;
}

export function searchIndex(pages: readonly SitePage[]): string {
  const index = new MiniSearch<IndexedPart>(searchOptions);
  index.addAll(
    pages.flatMap(({ path, title, search }) =>
      search.map(({ id, heading, text, code = '' }) => ({
        id: id === '' ? path : `${path}#${id}`,
        title,
        heading,
        zh: wordsZh[heading] ?? wordsZh[title] ?? '',
        text,
        code,
      })),
    ),
  );
  return JSON.stringify(index);
}
