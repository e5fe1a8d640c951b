import type { Scope } from '@parcelway/contracts/scopes';
import { Bar, Sections, Shell } from '@parcelway/page/parts/shell';
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

function ConsoleBar({ route }: { readonly route: Route }) {
  const { t } = useWords();
  const { client, access, signOut } = useSession();
  const { can } = usePermissions();
  const links = LINKS.filter(([, , scopes]) => scopes.some(can));
  return (
    <Bar environment={access?.environment} signOut={client && signOut}>
      {access && (
        <span class="tenant" title={access.tenant.name}>
          {access.tenant.name}
        </span>
      )}
      {client && (
        <Sections links={links.map(([section, to]) => [hrefOf(to), t.nav[section], sectionOf(route) === section])}>
          <a class="narrow" href={REFERENCE}>
            {t.nav.reference}
          </a>
        </Sections>
      )}
      <a class={client ? 'reference wide' : 'reference'} href={REFERENCE}>
        {t.nav.reference}
      </a>
    </Bar>
  );
}

/** What surrounds every view: the bar with the sections, the notices of the session, and the foot. */
export function ConsoleShell({ route, children }: { readonly route: Route; readonly children: ComponentChildren }) {
  const { t } = useWords();
  const { access } = useSession();
  return (
    <>
      <Shell bar={<ConsoleBar route={route} />}>
        <SessionNotice />
        <LinkNotice />
        {children}
      </Shell>
      <footer class="foot">
        <a href="docs/guides">{t.nav.guides}</a>
        {access && <span class="account narrow">{access.tenant.name}</span>}
      </footer>
    </>
  );
}
