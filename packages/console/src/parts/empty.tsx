import type { ComponentChildren } from 'preact';

/** Says that there is nothing, and what to do about it. */
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
