import { Brand } from '@parcelway/page/parts/brand';
import { Button } from '@parcelway/page/parts/button';
import { LanguageSwitch } from '@parcelway/page/parts/language';
import type { ComponentChildren } from 'preact';
import { useWords } from './messages/language.ts';
import { hrefOf, type Route } from './route.ts';
import { useMay, useSession } from './session.tsx';

function Navigation({ route }: { readonly route: Route }) {
  const { t } = useWords();
  const isAdmin = useMay('admin');
  const links = [
    ['overview', hrefOf({ view: 'overview' })],
    ['tenants', hrefOf({ view: 'tenants', search: '' })],
    ['parcels', hrefOf({ view: 'parcels', number: '' })],
    ['warehouses', hrefOf({ view: 'warehouses' })],
    ['unclaimed', hrefOf({ view: 'unclaimed' })],
    ['dead-letters', hrefOf({ view: 'dead-letters', topic: '' })],
    ...(isAdmin ? ([['operators', hrefOf({ view: 'operators' })]] as const) : []),
  ] as const;
  const present = route.view === 'tenant' || route.view === 'failed-call' ? 'tenants' : route.view;
  return (
    <nav aria-label={t.nav.label} class="sections">
      {links.map(([section, href]) => (
        <a key={section} href={href} aria-current={present === section ? 'page' : undefined}>
          {t.nav[section]}
        </a>
      ))}
    </nav>
  );
}

/** What surrounds every view: the bar with the sections, the language, who is signed in, and the way out. */
export function Shell({ route, children }: { readonly route: Route; readonly children: ComponentChildren }) {
  const { t, language, choose } = useWords();
  const { signedIn, signOut } = useSession();
  // A button and no link: the part of the address after # belongs to the views.
  const skip = (): void => document.getElementById('content')?.focus();
  return (
    <>
      <Button class="skip" onClick={skip} text={t.skip} />
      <header class="bar">
        <div class="bar-inside">
          <Brand />
          {signedIn && (
            <span class={`environment environment-${signedIn.operator.environment}`}>{t.environments[signedIn.operator.environment]}</span>
          )}
          {signedIn && <Navigation route={route} />}
          <span class="bar-end">
            {signedIn && (
              <span class="who">
                {signedIn.operator.name} ({t.roles[signedIn.operator.role]})
              </span>
            )}
            <LanguageSwitch label={t.language} language={language} choose={choose} />
            {signedIn && <Button onClick={signOut} text={t.nav.signOut} />}
          </span>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}
