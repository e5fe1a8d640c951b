import type { Scope } from '@parcelway/contracts/scopes';
import { FormDialog } from '@parcelway/page/parts/form-dialog';
import { Bar, Sections, Shell } from '@parcelway/page/parts/shell';
import { SignInView } from '@parcelway/page/parts/sign-in';
import { FailureNotice, LinkButton, PageHeading, Skeleton } from '@parcelway/page/parts/view';
import type { ComponentChildren } from 'preact';
import { useWords } from './messages/language.ts';
import { Empty } from './parts/lists.tsx';
import { HOME, hrefOf, type Route } from './routing/route.ts';
import { useRoute } from './routing/use-route.ts';
import { LinkNotice, SessionNotice } from './session/notices.tsx';
import { usePermissions, useSession } from './session/session.tsx';
import { ActivityView } from './views/activity/activity-view.tsx';
import { ConnectionsView } from './views/connections/connections-view.tsx';
import { EventsView } from './views/events/events-view.tsx';
import { FilesView } from './views/files/files-view.tsx';
import { ImportView } from './views/imports/import-view.tsx';
import { ImportsView } from './views/imports/imports-view.tsx';
import { NewImportView } from './views/imports/new-import-view.tsx';
import { KeysView } from './views/keys/keys-view.tsx';
import { CorrectParcelView, SubmitParcelView } from './views/parcels/parcel-form-views.tsx';
import { ParcelView } from './views/parcels/parcel-view.tsx';
import { ParcelsView } from './views/parcels/parcels-view.tsx';
import { DeliveryView } from './views/webhooks/delivery-view.tsx';
import { CreateEndpointView, EditEndpointView } from './views/webhooks/endpoint-form-views.tsx';
import { EndpointView } from './views/webhooks/endpoint-view.tsx';
import { EndpointsView } from './views/webhooks/endpoints-view.tsx';

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
function ConsoleShell({ route, children }: { readonly route: Route; readonly children: ComponentChildren }) {
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

/** The view of a route. A view of another thing is another view: its key makes it start again, with the focus on its heading. */
function View({ route }: { readonly route: Route }) {
  const { t } = useWords();
  const [path] = hrefOf(route).split('?');
  switch (route.view) {
    case 'parcels':
      return <ParcelsView filter={route.filter} />;
    case 'parcel':
      return <ParcelView key={path} poNumber={route.poNumber} />;
    case 'new-parcel':
      return <SubmitParcelView />;
    case 'correct-parcel':
      return <CorrectParcelView key={path} poNumber={route.poNumber} />;
    case 'imports':
      return <ImportsView />;
    case 'new-import':
      return <NewImportView key={route.checkId} checkId={route.checkId} />;
    case 'import':
      return <ImportView key={path} importId={route.importId} state={route.state} />;
    case 'files':
      return <FilesView used={route.used} range={route.range} />;
    case 'connections':
      return <ConnectionsView />;
    case 'keys':
      return <KeysView />;
    case 'usage':
    case 'failed-calls':
    case 'failed-call':
    case 'audit-log':
      return <ActivityView route={route} />;
    case 'endpoints':
      return <EndpointsView />;
    case 'new-endpoint':
      return <CreateEndpointView />;
    case 'endpoint':
      return <EndpointView key={path} endpointId={route.endpointId} status={route.status} />;
    case 'edit-endpoint':
      return <EditEndpointView key={path} endpointId={route.endpointId} />;
    case 'delivery':
      return <DeliveryView key={path} endpointId={route.endpointId} deliveryId={route.deliveryId} />;
    case 'events':
      return <EventsView type={route.type} range={route.range} poNumber={route.poNumber} />;
    case 'unknown':
      return (
        <>
          <PageHeading title={t.common.unknownPage} />
          <Empty title={t.common.unknownPageHint}>
            <LinkButton href={hrefOf(HOME)} text={t.common.toParcels} />
          </Empty>
        </>
      );
  }
}

/** The page: sign-in, then the views. */
export function App() {
  const { t } = useWords();
  const { client, access, resuming, failure, resume, goneBecause, signIn } = useSession();
  const { route, leaving } = useRoute(access?.tenant.id);
  const content = (): ComponentChildren => {
    if (resuming) return <Skeleton />;
    if (failure !== undefined) return <FailureNotice failure={failure} onRetry={resume} />;
    // The same tenant keeps its open view after signing in again; another tenant gets a new one.
    if (client !== undefined) return <View key={access?.tenant.id} route={route} />;
    return <SignInView because={goneBecause && t.signIn[goneBecause]} signIn={signIn} />;
  };
  return (
    <>
      <ConsoleShell route={route}>{content()}</ConsoleShell>
      {leaving && (
        <FormDialog
          isQuestion
          title={t.leaving.title}
          text={t.leaving.text}
          submit={t.leaving.leave}
          keep={t.leaving.stay}
          danger
          onSubmit={async () => leaving.leave()}
          onClose={leaving.stay}
        />
      )}
    </>
  );
}
