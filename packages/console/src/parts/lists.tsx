import { Button } from '@parcelway/page/parts/view';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useWords } from '../messages/language.ts';

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

interface TabsProps {
  readonly label: string;
  readonly links: ReadonlyArray<readonly [href: string, name: string | undefined, isCurrent: boolean]>;
}

export const Tabs = ({ label, links }: TabsProps) => (
  <nav class="tabs" aria-label={label}>
    {links.map(([href, name, isCurrent]) => (
      <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
        {name}
      </a>
    ))}
  </nav>
);
