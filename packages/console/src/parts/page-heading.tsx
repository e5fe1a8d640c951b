import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useWords } from '../messages/language.ts';

/** A step on the way back. */
export interface Crumb {
  readonly href: string;
  readonly text: string;
}

/** What the head of a view needs. */
export interface PageHeadingProps {
  readonly title: string;
  /** The way back, from the outermost view. */
  readonly crumbs?: readonly Crumb[];
  /** Beside the title, such as a badge. */
  readonly beside?: ComponentChildren;
  /** Buttons. */
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
