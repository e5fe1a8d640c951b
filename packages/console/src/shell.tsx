import type { ComponentChildren } from 'preact';
import { useWords } from './messages/language.tsx';
import { type Language, languages } from './messages/languages.ts';
import { hrefOf, type Route } from './routing/route.ts';
import { useSession } from './session/session.tsx';

/** Section of the navigation that a view belongs to. */
const SECTIONS: Readonly<Record<Route['view'], 'parcels' | 'webhooks' | 'events' | undefined>> = {
  parcels: 'parcels',
  parcel: 'parcels',
  endpoints: 'webhooks',
  'new-endpoint': 'webhooks',
  endpoint: 'webhooks',
  'edit-endpoint': 'webhooks',
  delivery: 'webhooks',
  events: 'events',
  unknown: undefined,
};

function Navigation({ route }: { readonly route: Route }) {
  const { t } = useWords();
  const links = [
    ['parcels', hrefOf({ view: 'parcels', status: '', poNumber: '' })],
    ['webhooks', hrefOf({ view: 'endpoints' })],
    ['events', hrefOf({ view: 'events', type: '', range: '' })],
  ] as const;
  return (
    <nav aria-label={t.nav.label} class="sections">
      {links.map(([section, href]) => (
        <a key={section} href={href} aria-current={SECTIONS[route.view] === section ? 'page' : undefined}>
          {t.nav[section]}
        </a>
      ))}
    </nav>
  );
}

function LanguageSwitch() {
  const { t, language, choose } = useWords();
  return (
    <select class="language" aria-label={t.language} value={language} onChange={(event) => choose(event.currentTarget.value as Language)}>
      {Object.entries(languages).map(([value, name]) => (
        <option key={value} value={value} lang={value}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** What surrounds every view: the bar with the sections, the language and the way out. */
export function Shell({ route, children }: { readonly route: Route; readonly children: ComponentChildren }) {
  const { t } = useWords();
  const { client, signOut } = useSession();
  // A button and no link: the part of the address after # belongs to the views.
  const skip = (): void => document.getElementById('content')?.focus();
  return (
    <>
      <button type="button" class="skip" onClick={skip}>
        {t.skip}
      </button>
      <header class="bar">
        <div class="bar-inside">
          <span class="brand">
            <svg viewBox="0 0 32 32" aria-hidden="true">
              <rect width="32" height="32" rx="7" />
              <path d="M8 12l8-4 8 4v9l-8 4-8-4zM8 12l8 4 8-4M16 16v9" />
            </svg>
            <span class="brand-name">Parcelway</span>
          </span>
          {client && <span class={`environment environment-${client.environment}`}>{t.environments[client.environment]}</span>}
          {client && <Navigation route={route} />}
          <a class="reference" href="docs">
            {t.nav.reference}
          </a>
          <span class="bar-end">
            <LanguageSwitch />
            {client && (
              <button type="button" onClick={signOut}>
                {t.nav.signOut}
              </button>
            )}
          </span>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <footer class="foot">
        <a href="docs/guides">{t.nav.guides}</a>
      </footer>
    </>
  );
}
