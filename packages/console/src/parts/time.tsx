import { useNow } from '../data/use-now.ts';
import { absoluteTime, relativeTime } from '../format/time.ts';
import { useWords } from '../messages/language.tsx';

/** An instant: how far it is from now, with the time itself on pointing at it. @param at RFC 3339 */
export function Time({ at }: { readonly at: string }) {
  const now = useNow();
  const { locale } = useWords();
  const instant = Date.parse(at);
  return (
    <time dateTime={at} title={absoluteTime(instant, locale)}>
      {relativeTime(instant, now, locale)}
    </time>
  );
}

/** An instant in full. @param at RFC 3339 */
export function FullTime({ at }: { readonly at: string }) {
  const { locale } = useWords();
  return <time dateTime={at}>{absoluteTime(Date.parse(at), locale)}</time>;
}
