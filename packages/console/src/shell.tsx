import { Brand } from '@parcelway/page/parts/brand';
import { LanguageSwitch } from '@parcelway/page/parts/language';
import type { ComponentChildren } from 'preact';
import { useWords } from './messages/language.ts';
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

/** What surrounds every view: the bar with the sections, the language and the way out. */
export function Shell({ route, children }: { readonly route: Route; readonly children: ComponentChildren }) {
  const { t, language, choose } = useWords();
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
          <Brand />
          {client && <span class={`environment environment-${client.environment}`}>{t.environments[client.environment]}</span>}
          {client && <Navigation route={route} />}
          <a class="reference" href="docs/api">
            {t.nav.reference}
          </a>
          <span class="bar-end">
            <LanguageSwitch label={t.language} language={language} choose={choose} />
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
