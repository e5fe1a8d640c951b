import { rootFrom, type SitePage } from '../site-page.ts';
import { render } from '../template.ts';
import { groupsOf, neighboursOf, type SiteOutline } from './navigation.ts';
import { inChinese, wordsZh } from './words-zh.ts';

/** Names of what the build has put into `docs/assets`. */
export interface SiteAssets {
  readonly script: string;
  readonly style: string;
  readonly icon: string;
  readonly searchIndex: string;
}

/** A whole page: what it says, with the navigation around it. It is readable without script. */
export const renderPage = (page: SitePage, outline: SiteOutline, assets: SiteAssets): string =>
  `${render('html/page', {
    page,
    assets,
    root: rootFrom(page.path),
    groups: groupsOf(page, outline),
    neighbours: neighboursOf(page, outline),
    inChinese,
    wordsZh,
  })}\n`;
