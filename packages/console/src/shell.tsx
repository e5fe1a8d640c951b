import type { Scope } from '@parcelway/contracts/scopes';
import { Brand } from '@parcelway/page/parts/brand';
import { Button } from '@parcelway/page/parts/button';
import { LanguageSwitch } from '@parcelway/page/parts/language';
import type { ComponentChildren } from 'preact';
import { useWords } from './messages/language.ts';
import { HOME, hrefOf, type Route } from './routing/route.ts';
import { LinkNotice, SessionNotice } from './session/notices.tsx';
import { usePermissions, useSession } from './session/session.tsx';

type Section = 'parcels' | 'imports' | 'files' | 'webhooks' | 'events' | 'connections' | 'keys' | 'activity';

/** The section of a route: the first part of its address. */
const sectionOf = (route: Route): string => hrefOf(route).split(/[/?]/)[1] ?? '';

const LINKS: ReadonlyArray<readonly [section: Section, route: Route, scopes: readonly Scope[]]> = [
  ['parcels', HOME, ['forecasts:write', 'weighing:read']],
  ['imports', { view: 'imports' }, ['forecasts:write']],
  ['files', { view: 'files', used: '', range: '' }, ['files:write']],
  ['webhooks', { view: 'endpoints' }, ['webhooks:manage']],
  ['events', { view: 'events', type: '', range: '', poNumber: '' }, ['webhooks:manage']],
  ['connections', { view: 'connections' }, ['connections:manage']],
  ['keys', { view: 'keys' }, ['keys:manage']],
  ['activity', { view: 'usage', days: '' }, ['keys:manage']],
];

const REFERENCE = 'docs/api';

function Navigation({ route }: { readonly route: Route }) {
  const { t } = useWords();
  const { can } = usePermissions();
  return (
    <nav aria-label={t.nav.label} class="sections">
      {LINKS.map(
        ([section, to, scopes]) =>
          scopes.some(can) && (
            <a key={section} href={hrefOf(to)} aria-current={sectionOf(route) === section ? 'page' : undefined}>
              {t.nav[section]}
            </a>
          ),
      )}
      <a class="narrow" href={REFERENCE}>
        {t.nav.reference}
      </a>
    </nav>
  );
}

/** What surrounds every view: the bar with the sections, the language and the way out. */
export function Shell({ route, children }: { readonly route: Route; readonly children: ComponentChildren }) {
  const { t, language, choose } = useWords();
  const { client, access, signOut } = useSession();
  // A button and no link: the part of the address after # belongs to the views.
  const skip = (): void => document.getElementById('content')?.focus();
  return (
    <>
      <Button class="skip" onClick={skip} text={t.skip} />
      <header class="bar">
        <div class="bar-inside">
          <Brand />
          {access && <span class={`environment environment-${access.environment}`}>{t.environments[access.environment]}</span>}
          {access && (
            <span class="tenant" title={access.tenant.name}>
              {access.tenant.name}
            </span>
          )}
          {client && <Navigation route={route} />}
          <a class={client ? 'reference wide' : 'reference'} href={REFERENCE}>
            {t.nav.reference}
          </a>
          <span class="bar-end">
            <LanguageSwitch label={t.language} language={language} choose={choose} />
            {client && <Button onClick={signOut} text={t.nav.signOut} />}
          </span>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <SessionNotice />
        <LinkNotice />
        {children}
      </main>
      <footer class="foot">
        <a href="docs/guides">{t.nav.guides}</a>
        {access && <span class="account narrow">{access.tenant.name}</span>}
      </footer>
    </>
  );
}
