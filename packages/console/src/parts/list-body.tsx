import type { ComponentChildren } from 'preact';
import type { Pages } from '../data/use-pages.ts';
import { useWords } from '../messages/language.ts';
import { FailureNotice } from './failure-notice.tsx';
import { Skeleton } from './skeleton.tsx';

/** What the body of a list needs. */
export interface ListBodyProps<T> {
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
          <button type="button" aria-disabled={loading} onClick={more}>
            {loading ? t.common.loading : t.common.more}
          </button>
        </div>
      )}
    </>
  );
}
