import { useNow } from '../data/use-now.ts';
import { absoluteTime, hasPlace, relativeTime } from '../format/time.ts';
import { useWords } from '../messages/language.ts';

/** What a time needs. */
export interface TimeProps {
  /** RFC 3339, as it was sent. */
  readonly at: string;
}

/** An instant: how far it is from now. Pointing at it shows the time itself, then the time as it was sent. */
export function Time({ at }: TimeProps) {
  const now = useNow();
  const { locale } = useWords();
  const instant = Date.parse(at);
  return (
    <time class="ago" dateTime={at} title={`${absoluteTime(instant, locale)}\n${at}`}>
      {relativeTime(instant, now, locale)}
    </time>
  );
}

/**
 * An instant in full, in the time zone of the reader. Pointing at it shows it as it was sent; so does the focus where that
 * says more: a warehouse and a carrier send the time of their place.
 */
export function FullTime({ at }: TimeProps) {
  const { locale } = useWords();
  return (
    <time dateTime={at} title={at} {...(hasPlace(at) ? { tabIndex: 0, 'data-sent': at } : {})}>
      {absoluteTime(Date.parse(at), locale)}
    </time>
  );
}
