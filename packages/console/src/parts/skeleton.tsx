import { useWords } from '../messages/language.ts';

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
