import { ApiFailure } from '@parcelway/page/api/failure';
import { type Loaded, useLoad } from '@parcelway/page/data/use-load';
import { Button } from '@parcelway/page/parts/button';
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Pages } from '../data/hooks.ts';
import { useWords } from '../messages/language.ts';
import { FailureNotice } from './forms.tsx';

interface Crumb {
  readonly href: string;
  readonly text: string;
}

interface PageHeadingProps {
  readonly title: string;
  /** The way back, from the outermost view. */
  readonly crumbs?: readonly Crumb[];
  /** Beside the title, such as a badge. */
  readonly beside?: ComponentChildren;
  readonly actions?: ComponentChildren;
}

/** The head of a view. It takes the focus when the view appears, so that a reader begins there and not at the top of the page. */
export function PageHeading({ title, crumbs = [], beside, actions }: PageHeadingProps) {
  const { t } = useWords();
  const ref = useRef<HTMLHeadingElement>(null);
  useEffect(() => ref.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    document.title = `${title} · Parcelway`;
  }, [title]);
  return (
    <header class="page-heading">
      {crumbs.length > 0 && (
        <nav aria-label={t.common.back} class="crumbs">
          {crumbs.map(({ href, text }) => (
            <a key={href} href={href}>
              {text}
            </a>
          ))}
        </nav>
      )}
      <div class="title-row">
        <h1 ref={ref} tabIndex={-1}>
          {title}
        </h1>
        {beside}
        {actions && <div class="actions">{actions}</div>}
      </div>
    </header>
  );
}

/** Holds the place of something that is being loaded. @param rows about as many as will come */
export function Skeleton({ rows = 5 }: { readonly rows?: number }) {
  const { t } = useWords();
  return (
    <div class="skeleton" role="status">
      <span class="visually-hidden">{t.common.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="skeleton-row" />
      ))}
    </div>
  );
}

export function Empty({
  title,
  hint,
  children,
}: {
  readonly title: string;
  readonly hint?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {hint !== undefined && <p>{hint}</p>}
      {children}
    </div>
  );
}

interface ListBodyProps<T> {
  readonly pages: Pages<T>;
  readonly empty: ComponentChildren;
  readonly children: (items: readonly T[]) => ComponentChildren;
}

/** A list in whichever state it is: being loaded, failed, empty, or there, with more to load. */
export function ListBody<T>({ pages, empty, children }: ListBodyProps<T>) {
  const { t } = useWords();
  const { items, failure, moreFailure, loading, more, refresh } = pages;
  return (
    <>
      <FailureNotice failure={failure} onRetry={refresh} />
      {items === undefined ? failure === undefined && <Skeleton rows={8} /> : items.length === 0 ? empty : children(items)}
      {items !== undefined && more && (
        <div class="more">
          <FailureNotice failure={moreFailure} />
          <Button aria-disabled={loading} onClick={more} text={loading ? t.common.loading : t.common.more} />
        </div>
      )}
    </>
  );
}

interface GrowingProps<T> {
  readonly items: readonly T[];
  readonly first: number;
  readonly children: (shown: readonly T[]) => ComponentChildren;
}

const STEP = 100;

export function Growing<T>({ items, first, children }: GrowingProps<T>) {
  const { t } = useWords();
  const [count, setCount] = useState(first);
  return (
    <>
      {children(items.slice(0, count))}
      {items.length > count && (
        <div class="more">
          <Button onClick={() => setCount(count + STEP)} text={t.common.more} />
        </div>
      )}
    </>
  );
}

/** A view whose script is loaded when it is shown for the first time. @param load imports the script and resolves with the view */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): (props: Props) => preact.JSX.Element | null {
  const loadOrFail = async (): Promise<ComponentType<Props>> => {
    try {
      return await load();
    } catch {
      // The browser does not say why: there is no network, or the platform has another version of the page by now.
      throw new ApiFailure('offline');
    }
  };
  return function Later(props) {
    return <LoadedBody loaded={useLoad('script', loadOrFail)}>{(View) => <View {...props} />}</LoadedBody>;
  };
}

interface LoadedBodyProps<T> {
  readonly loaded: Loaded<T>;
  readonly rows?: number;
  readonly children: (data: T) => ComponentChildren;
}

export function LoadedBody<T>({ loaded: { data, failure, reload }, rows = 8, children }: LoadedBodyProps<T>) {
  return (
    <>
      <FailureNotice failure={failure} onRetry={reload} />
      {data === undefined ? failure === undefined && <Skeleton rows={rows} /> : children(data)}
    </>
  );
}
