import { type GuideSources, guideListPage, guidePages } from './guides/guide-pages.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { Navigation, pagesOf, type SiteOutline } from './navigation/navigation.ts';
import { renderPage, type SiteAssets } from './navigation/render-page.ts';
import { clientCalls } from './reference/client-calls.ts';
import { referencePage, tagPages } from './reference/tag-pages.ts';
import { webhookPage } from './reference/webhook-page.ts';
import type { JourneyCode } from './start/journey.ts';
import { journeyPage, startPage } from './start/start-pages.ts';

/** What the site is made from, besides the contracts. */
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
  const navigation = new Navigation(outline);
  return new Map([
    ...pagesOf(outline).flatMap((page): [string, string][] => [
      [`${page.path}.html`, renderPage(page, navigation, assets)],
      [`${page.path}.md`, page.markdown],
    ]),
    ['llms.txt', llmsText(outline)],
    ['llms-full.txt', llmsFullText(outline)],
  ]);
}
