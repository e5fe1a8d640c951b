export interface TocEntry {
  readonly id: string;
  readonly text: string;
  /** 2 or 3. */
  readonly depth: number;
}

export interface SearchEntry {
  /** Anchor in the page; empty for its beginning. */
  readonly id: string;
  readonly heading: string;
  readonly text: string;
  /** Names in its code; default none. */
  readonly code?: string;
}

export interface SitePage {
  /** Path at the gateway, without a slash at its beginning or end, such as `docs/guides/merchants/files`. */
  readonly path: string;
  readonly title: string;
  readonly lead: string;
  readonly section: 'start' | 'guides' | 'api';
  /** HTML of what the page says; links are relative to the page. */
  readonly html: string;
  readonly toc: readonly TocEntry[];
  /** The same in Markdown; links to other pages end in `.md`. */
  readonly markdown: string;
  readonly search: readonly SearchEntry[];
  /** Set where text and code stand side by side. */
  readonly isWide?: boolean;
}

/** The way from a page to the root of the platform, such as `../../`; works under whatever prefix a proxy puts in front. */
export const rootFrom = (path: string): string => '../'.repeat(path.split('/').length - 1);
