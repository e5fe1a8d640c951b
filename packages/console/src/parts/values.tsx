import { useAnnounce } from '@parcelway/page/parts/announce';
import { Button } from '@parcelway/page/parts/button';
import { Dialog } from '@parcelway/page/parts/dialog';
import { type ComponentChildren, Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useNow } from '../data/hooks.ts';
import { absoluteTime, hasPlace, jsonTokens, prettyJson, relativeTime } from '../format.ts';
import { useWords } from '../messages/language.ts';

export type Tone = 'good' | 'bad' | 'warn' | 'wait' | 'busy' | 'quiet';

/** A mark for each tone, so that no status is shown by colour alone. */
const MARKS: Readonly<Record<Tone, string>> = {
  good: 'M3.5 8.5l3 3 6-7',
  bad: 'M4.5 4.5l7 7m0-7l-7 7',
  warn: 'M8 3.5v6m0 2.8v.2',
  wait: 'M8 5v3.2l2 1.3M13.5 8a5.5 5.5 0 1 1-11 0a5.5 5.5 0 1 1 11 0',
  busy: 'M4 8h8M8.5 4.5L12 8l-3.5 3.5',
  quiet: 'M4.5 8h7',
};

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return (
    <span class={`badge badge-${tone}`}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={MARKS[tone]} />
      </svg>
      {children}
    </span>
  );
}

const DELIVERY_TONES: Readonly<Record<string, Tone>> = { pending: 'wait', succeeded: 'good', failed: 'bad', held: 'quiet' };
export const deliveryTone = (status: string): Tone => DELIVERY_TONES[status] ?? 'quiet';
const FORECAST_TONES: Readonly<Record<number, Tone>> = { 1: 'busy', 2: 'busy', 3: 'busy', 4: 'busy', 5: 'busy', 6: 'good', 7: 'quiet' };
/** Tone of the status of a forecast, 1 to 7. */
export const forecastTone = (status: number): Tone => FORECAST_TONES[status] ?? 'quiet';
const ENDPOINT_TONES: Readonly<Record<string, Tone>> = { enabled: 'good', paused: 'wait', disabled: 'quiet' };
export const endpointTone = (status: string): Tone => ENDPOINT_TONES[status] ?? 'quiet';
const HEALTH_TONES: Readonly<Record<string, Tone>> = { ok: 'good', failing: 'bad', circuit_open: 'bad' };
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

/** Copies a text. @param what names it for screen readers */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const { t } = useWords();
  const announce = useAnnounce();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // There is no clipboard without HTTPS, and a browser may forbid it.
      announce(t.common.notCopied);
      return;
    }
    setCopied(true);
    announce(t.common.copied);
  };
  return (
    <button type="button" class="copy" onClick={() => void copy()} aria-label={t.common.copyOf(what)} title={t.common.copyOf(what)}>
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {copied ? <path d="M3.5 8.5l3 3 6-7" /> : <path d="M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z" />}
      </svg>
    </button>
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

interface FactsProps {
  readonly rows: ReadonlyArray<readonly [name: string, value: ComponentChildren]>;
  readonly broad?: boolean;
}

export function Facts({ rows, broad = false }: FactsProps) {
  return (
    <dl class={broad ? 'facts facts-broad' : 'facts'}>
      {rows.map(([name, value]) =>
        value === null || value === undefined || value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

interface SecretDialogProps {
  readonly title: string;
  readonly once: string;
  readonly secret: string;
  readonly what: string;
  readonly note?: string | undefined;
  readonly onClose: () => void;
}

/** Shows a secret once: the platform cannot show it again. */
export function SecretDialog({ title, once, secret, what, note, onClose }: SecretDialogProps) {
  const { t } = useWords();
  return (
    <Dialog title={title} onClose={onClose} stays>
      <p>{once}</p>
      <p class="secret">
        <code>{secret}</code>
        <CopyButton text={secret} what={what} />
      </p>
      {note !== undefined && <p class="faint">{note}</p>}
      <div class="dialog-actions">
        <Button class="primary" onClick={onClose} text={t.secret.done} />
      </div>
    </Dialog>
  );
}
