import { CopyButton, type Tone } from '@parcelway/page/parts/view';
import { Fragment } from 'preact';
import { useNow } from '../data/hooks.ts';
import { absoluteTime, hasPlace, jsonTokens, prettyJson, relativeTime } from '../format.ts';
import { useWords } from '../messages/language.ts';

const DELIVERY_TONES: Readonly<Record<string, Tone>> = { pending: 'wait', succeeded: 'good', failed: 'bad', held: 'quiet' };
export const deliveryTone = (status: string): Tone => DELIVERY_TONES[status] ?? 'quiet';
const FORECAST_TONES: Readonly<Record<number, Tone>> = { 1: 'busy', 2: 'busy', 3: 'busy', 4: 'busy', 5: 'busy', 6: 'good', 7: 'quiet' };
/** Tone of the status of a forecast, 1 to 7. */
export const forecastTone = (status: number): Tone => FORECAST_TONES[status] ?? 'quiet';
const ENDPOINT_TONES: Readonly<Record<string, Tone>> = { enabled: 'good', paused: 'wait', disabled: 'quiet' };
export const endpointTone = (status: string): Tone => ENDPOINT_TONES[status] ?? 'quiet';
const HEALTH_TONES: Readonly<Record<string, Tone>> = { ok: 'good', failing: 'bad' };
export const healthTone = (state: string): Tone => HEALTH_TONES[state] ?? 'quiet';
/** Tone of an HTTP status; null when there was no response. */
export const responseTone = (status: number | null): Tone => (status !== null && status >= 200 && status < 300 ? 'good' : 'bad');

interface TimeProps {
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

/** A time; pointing at it shows the time as sent. A time with a local offset (of a warehouse or carrier) also shows that on focus. */
export function FullTime({ at }: TimeProps) {
  const { locale } = useWords();
  return (
    <time dateTime={at} title={at} {...(hasPlace(at) ? { tabIndex: 0, 'data-sent': at } : {})}>
      {absoluteTime(Date.parse(at), locale)}
    </time>
  );
}

export function CopyableId({ id, what }: { readonly id: string; readonly what: string }) {
  return (
    <span class="copyable">
      <code class="id">{id}</code>
      <CopyButton text={id} what={what} />
    </span>
  );
}

/** A text in lines, JSON set out and coloured; copied as it came. @param label names it, also for those who cannot see it */
export function CodeBlock({ text, label }: { readonly text: string; readonly label: string }) {
  const pretty = prettyJson(text);
  const isJson = pretty !== text || /^\s*[[{]/.test(text);
  return (
    <div class="code">
      <header>
        <span>{label}</span>
        <CopyButton text={text} what={label} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard */}
      {/* biome-ignore lint/a11y/useSemanticElements: no element of HTML is a named group of text */}
      <pre tabIndex={0} role="group" aria-label={label}>
        <code>
          {isJson
            ? jsonTokens(pretty).map(([kind, piece], index) =>
                kind === 'plain' ? (
                  piece
                ) : (
                  <span key={index} class={`json-${kind}`}>
                    {piece}
                  </span>
                ),
              )
            : pretty}
        </code>
      </pre>
    </div>
  );
}

/** The type of an event; a line may break behind a dot, and elsewhere only where a word alone is too long. */
export function EventType({ type }: { readonly type: string }) {
  const words = type.split('.');
  return (
    <code class="event-type">
      {words.map((word, index) => (
        <Fragment key={word}>
          {index > 0 && <wbr />}
          <span>{index < words.length - 1 ? `${word}.` : word}</span>
        </Fragment>
      ))}
    </code>
  );
}
