import { pagesOf, type SiteOutline } from './navigation/navigation.ts';
import type { SitePage } from './site-page.ts';

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
    '- [All pages in one](llms-full.txt): guides and reference',
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

/** `llms-full.txt`: all pages in one text, with samples in curl alone. */
export const llmsFullText = (outline: SiteOutline): string =>
  pagesOf(outline)
    .map(({ path, markdown, shortMarkdown = markdown }) => `<!-- ${path} -->\n\n${shortMarkdown.trim()}\n`)
    .join('\n');
