import type { GuidePages } from '../guides/guide-pages.ts';
import type { SitePage } from '../site-page.ts';

interface NavigationGroup {
  /** Undefined for pages that stand by themselves. */
  readonly title?: string;
  readonly entries: readonly { readonly path: string; readonly title: string }[];
}

export interface SiteOutline {
  readonly start: readonly SitePage[];
  readonly guideList: SitePage;
  readonly guides: readonly GuidePages[];
  readonly reference: readonly SitePage[];
}

export const pagesOf = ({ start, guideList, guides, reference }: SiteOutline): readonly SitePage[] => [
  ...start,
  guideList,
  ...guides.flatMap(({ pages }) => pages),
  ...reference,
];

export function neighboursOf(page: SitePage, outline: SiteOutline): readonly [previous: SitePage | undefined, next: SitePage | undefined] {
  const pages = pagesOf(outline);
  const place = pages.indexOf(page);
  return [pages[place - 1], pages[place + 1]];
}

/** The list at the left of a page: the section that the page is in. */
export function groupsOf(page: SitePage, { start, guideList, guides, reference }: SiteOutline): readonly NavigationGroup[] {
  if (page.section === 'api') return [{ entries: reference.map((each, index) => entry(each, index === 0)) }];
  if (page.section === 'start') return [{ entries: [...start, guideList, ...reference.slice(0, 1)].map((each) => entry(each, false)) }];
  const alone = guides.filter(({ pages }) => pages.length === 1).map(({ pages: [only] }) => entry(only, false));
  const split = guides
    .filter(({ pages }) => pages.length > 1)
    .map(({ pages }) => ({ title: pages[0].title, entries: pages.map((each, index) => entry(each, index === 0)) }));
  return [{ entries: [entry(guideList, true)] }, ...split, { entries: alone }];
}

const entry = ({ path, title }: SitePage, isOverview: boolean) => ({ path, title: isOverview ? 'Overview' : title });
