import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { type ApiFailure, faultsAt } from '../api/failure.ts';
import type { Loaded } from '../data/use-load.ts';
import { fill } from '../languages.ts';
import { useAnnounce } from './announce.tsx';
import { Dialog } from './dialog.tsx';
import { useSpoken } from './language.tsx';

type ButtonProps = Omit<ButtonHTMLAttributes, 'type' | 'children'> & { readonly text: ComponentChildren };

/** A button that does something on the page; it never submits a form. */
export const Button = ({ text, ...attributes }: ButtonProps) => (
  <button type="button" {...attributes}>
    {text}
  </button>
);

/** A link that looks like a button. */
export const LinkButton = ({
  text,
  href,
  isPrimary = false,
}: {
  readonly text: string;
  readonly href: string;
  readonly isPrimary?: boolean;
}) => (
  <a class={isPrimary ? 'button primary' : 'button'} href={href}>
    {text}
  </a>
);

/** A link to another page, in a tab of its own. */
export const TabLink = ({ text, ...attributes }: AnchorHTMLAttributes & { readonly text: ComponentChildren }) => (
  <a target="_blank" rel="noreferrer" {...attributes}>
    {text}
  </a>
);

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

export interface FailureNoticeProps {
  readonly failure: ApiFailure | undefined;
  readonly onRetry?: () => void;
  /** Fields that show their faults themselves: the notice does not repeat these. */
  readonly shownAtFields?: readonly string[];
}

export function FailureNotice({ failure, onRetry, shownAtFields = [] }: FailureNoticeProps) {
  const { t, sayFailure, sayFault } = useSpoken();
  if (failure === undefined) return null;
  const shown = new Set(shownAtFields.flatMap((field) => faultsAt(failure, field)));
  const faults = failure.faults.filter((fault) => !shown.has(fault));
  const isMarked = shown.size > 0 && faults.length === 0;
  return (
    <div class={isMarked ? 'notice notice-bad notice-marked' : 'notice notice-bad'} role="alert">
      <p>{isMarked ? t.failures.fieldsMarked : sayFailure(failure)}</p>
      {faults.length > 0 && (
        <ul>
          {faults.map((fault) => (
            <li key={fault.field + fault.message}>{sayFault(fault)}</li>
          ))}
        </ul>
      )}
      <RequestId failure={failure} />
      {onRetry && <Button onClick={onRetry} text={t.common.retry} />}
    </div>
  );
}

export function RequestId({ failure: { requestId } }: { readonly failure: ApiFailure }) {
  const { t } = useSpoken();
  if (requestId === '') return null;
  return (
    <p class="faint">
      {t.failures.request} <code class="id">{requestId}</code>
    </p>
  );
}

interface PageHeadingProps {
  readonly title: string;
  /** The way back, from the outermost view. */
  readonly crumbs?: ReadonlyArray<{ readonly href: string; readonly text: string }>;
  /** Beside the title, such as a badge. */
  readonly beside?: ComponentChildren;
  readonly actions?: ComponentChildren;
}

/** The head of a view. It takes the focus when the view appears, so that a reader begins there and not at the top of the page. */
export function PageHeading({ title, crumbs = [], beside, actions }: PageHeadingProps) {
  const { t } = useSpoken();
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

interface CardProps {
  readonly title: string;
  /** How many things the card has. */
  readonly count?: number;
  /** Beside the title, the last one at the end of its line. */
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A part of a view under a heading of its own. */
export function Card({ title, count, beside, children }: CardProps) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>
          {title} {count !== undefined && <span class="count">{count}</span>}
        </h2>
        {beside}
      </header>
      {children}
    </section>
  );
}

/** Holds the place of something that is being loaded. @param rows about as many as will come */
export function Skeleton({ rows = 5 }: { readonly rows?: number }) {
  const { t } = useSpoken();
  return (
    <div class="skeleton" role="status">
      <span class="visually-hidden">{t.common.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="skeleton-row" />
      ))}
    </div>
  );
}

interface LoadedBodyProps<T> {
  readonly loaded: Loaded<T>;
  readonly rows?: number;
  readonly children: (data: T) => ComponentChildren;
}

export function LoadedBody<T>({ loaded: { data, failure, reload }, rows = 8, children }: LoadedBodyProps<T>) {
  return (
    <>
      <FailureNotice failure={failure} onRetry={reload} />
      {data === undefined ? failure === undefined && <Skeleton rows={rows} /> : children(data)}
    </>
  );
}

export function Refresh({ loaded }: { readonly loaded: Pick<Loaded<unknown>, 'reload' | 'loading'> }) {
  const { t } = useSpoken();
  return <Button onClick={loaded.reload} aria-disabled={loaded.loading} text={t.common.refresh} />;
}

interface FactsProps {
  readonly rows: ReadonlyArray<readonly [name: string, value: ComponentChildren]>;
  readonly broad?: boolean;
}

/** Names with their values; what has no value is left out. */
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

/** Copies a text. @returns false when the browser does not allow it: there is no clipboard without HTTPS, and some ask for a click just before */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Copies a text. @param what names it for screen readers */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const { t } = useSpoken();
  const announce = useAnnounce();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    const isCopied = await copyText(text);
    setCopied(isCopied);
    announce(isCopied ? t.common.copied : t.common.notCopied);
  };
  return (
    <button
      type="button"
      class="copy"
      onClick={() => void copy()}
      aria-label={fill(t.common.copyOf, what)}
      title={fill(t.common.copyOf, what)}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        {copied ? <path d={MARKS.good} /> : <path d="M5.5 5.5v-3h8v8h-3m-8-5h8v8h-8z" />}
      </svg>
    </button>
  );
}

export interface Secret {
  readonly title: string;
  /** Says that it is shown once. */
  readonly once: string;
  readonly secret: string;
  readonly what: string;
  readonly note?: string | undefined;
}

/** Shows a secret once: the platform cannot show it again, so only the button closes it. */
export function SecretDialog({ title, once, secret, what, note, onClose }: Secret & { readonly onClose: () => void }) {
  const { t } = useSpoken();
  return (
    <Dialog title={title} onClose={onClose} stays>
      <p>{once}</p>
      <p class="secret">
        <code class="token">{secret}</code>
        <CopyButton text={secret} what={what} />
      </p>
      {note !== undefined && <p class="faint">{note}</p>}
      <div class="dialog-actions">
        <Button class="primary" onClick={onClose} text={t.common.secretSaved} />
      </div>
    </Dialog>
  );
}
