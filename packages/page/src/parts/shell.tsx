import type { ComponentChildren } from 'preact';
import { type Language, languages } from '../languages.ts';
import { useSpoken } from './language.tsx';
import { Button } from './view.tsx';

interface BarProps {
  /** Of the session; undefined while nobody has signed in. */
  readonly environment: 'sandbox' | 'production' | undefined;
  /** At the end of the bar, before the language and the way out. */
  readonly end?: ComponentChildren;
  /** Undefined while nobody has signed in. */
  readonly signOut: (() => void) | undefined;
  readonly children?: ComponentChildren;
}

/** The bar above everything: where one is, the language and the way out. */
export function Bar({ environment, end, signOut, children }: BarProps) {
  const { t, language, choose } = useSpoken();
  return (
    <header class="bar">
      <div class="bar-inside">
        <span class="brand">
          <svg viewBox="0 0 32 32" aria-hidden="true">
            <rect width="32" height="32" rx="7" />
            <path d="M8 12l8-4 8 4v9l-8 4-8-4zM8 12l8 4 8-4M16 16v9" />
          </svg>
          <span class="brand-name">Parcelway</span>
        </span>
        {environment && <span class={`environment environment-${environment}`}>{t.environments[environment]}</span>}
        {children}
        <span class="bar-end">
          {end}
          <select
            class="language"
            aria-label={t.language}
            value={language}
            onChange={(event) => choose(event.currentTarget.value as Language)}
          >
            {Object.entries(languages).map(([value, name]) => (
              <option key={value} value={value} lang={value}>
                {name}
              </option>
            ))}
          </select>
          {signOut && <Button onClick={signOut} text={t.signOut} />}
        </span>
      </div>
    </header>
  );
}

interface SectionsProps {
  readonly links: ReadonlyArray<readonly [href: string, text: string, isCurrent: boolean]>;
  readonly children?: ComponentChildren;
}

export function Sections({ links, children }: SectionsProps) {
  const { t } = useSpoken();
  return (
    <nav aria-label={t.nav.label} class="sections">
      {links.map(([href, text, isCurrent]) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          {text}
        </a>
      ))}
      {children}
    </nav>
  );
}

/** What surrounds every view: the bar, and the place of the view, to which the first button leads. */
export function Shell({ bar, children }: { readonly bar: ComponentChildren; readonly children: ComponentChildren }) {
  const { t } = useSpoken();
  // A button and no link: the part of the address after # belongs to the views.
  const skip = (): void => document.getElementById('content')?.focus();
  return (
    <>
      <Button class="skip" onClick={skip} text={t.skip} />
      {bar}
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
