import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useWords } from '../messages/language.ts';

/** What a growing list needs. */
export interface GrowingProps<T> {
  readonly items: readonly T[];
  /** How many are shown at first. */
  readonly first: number;
  readonly children: (shown: readonly T[]) => ComponentChildren;
}

/** How many more each time. */
const STEP = 100;

/** The first of many things that are all there, and a button for more of them. */
export function Growing<T>({ items, first, children }: GrowingProps<T>) {
  const { t } = useWords();
  const [count, setCount] = useState(first);
  return (
    <>
      {children(items.slice(0, count))}
      {items.length > count && (
        <div class="more">
          <button type="button" onClick={() => setCount(count + STEP)}>
            {t.common.more}
          </button>
        </div>
      )}
    </>
  );
}
