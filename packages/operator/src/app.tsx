import { Bar, Sections, Shell } from '@parcelway/page/parts/shell';
import { SignInView } from '@parcelway/page/parts/sign-in';
import { PageHeading } from '@parcelway/page/parts/view';
import { useWords } from './messages/language.ts';
import { hrefOf, type Route, useRoute } from './route.ts';
import { useMay, useSession } from './session.tsx';
import { DeadLettersView } from './views/dead-letters.tsx';
import { OperatorsView } from './views/operators.tsx';
import { OverviewView } from './views/overview.tsx';
import { ParcelsView } from './views/parcels.tsx';
import { FailedCallView } from './views/requests.tsx';
import { TenantView } from './views/tenant.tsx';
import { TenantsView } from './views/tenants.tsx';
import { UnclaimedView } from './views/unclaimed.tsx';
import { WarehousesView } from './views/warehouses.tsx';

/** The view of a route. A view of another thing is another view: its key makes it start again, with the focus on its heading. */
function View({ route }: { readonly route: Route }) {
  const { t } = useWords();
  switch (route.view) {
    case 'overview':
      return <OverviewView />;
    case 'tenants':
      return <TenantsView key={route.search} search={route.search} />;
    case 'tenant':
      return <TenantView key={route.id} id={route.id} />;
    case 'failed-call':
      return <FailedCallView key={`${route.tenantId} ${route.requestId}`} tenantId={route.tenantId} requestId={route.requestId} />;
    case 'parcels':
      return <ParcelsView key={route.number} number={route.number} />;
    case 'warehouses':
      return <WarehousesView />;
    case 'unclaimed':
      return <UnclaimedView />;
    case 'dead-letters':
      return <DeadLettersView topic={route.topic} />;
    case 'operators':
      return <OperatorsView />;
    case 'unknown':
      return (
        <>
          <PageHeading title={t.common.unknownPage} />
          <a href={hrefOf({ view: 'overview' })}>{t.common.toOverview}</a>
        </>
      );
  }
}

const SECTIONS = [
  { view: 'overview' },
  { view: 'tenants', search: '' },
  { view: 'parcels', number: '' },
  { view: 'warehouses' },
  { view: 'unclaimed' },
  { view: 'dead-letters', topic: '' },
  { view: 'operators' },
] as const satisfies readonly Route[];

function OperatorBar({ route }: { readonly route: Route }) {
  const { t } = useWords();
  const { signedIn, signOut } = useSession();
  const isAdmin = useMay('admin');
  if (signedIn === undefined) return <Bar environment={undefined} signOut={undefined} />;
  const { name, role, environment } = signedIn.operator;
  const present = route.view === 'tenant' || route.view === 'failed-call' ? 'tenants' : route.view;
  const sections = SECTIONS.filter(({ view }) => isAdmin || view !== 'operators');
  const who = (
    <span class="who">
      {name} ({t.roles[role]})
    </span>
  );
  return (
    <Bar environment={environment} signOut={signOut} end={who}>
      <Sections links={sections.map((to) => [hrefOf(to), t.nav[to.view], to.view === present])} />
    </Bar>
  );
}

/** The page: sign-in, then the views. */
export function App() {
  const { t } = useWords();
  const route = useRoute();
  const { signedIn, refused, signIn } = useSession();
  return (
    <Shell bar={<OperatorBar route={route} />}>
      {signedIn === undefined ? <SignInView because={refused ? t.signIn.refused : undefined} signIn={signIn} /> : <View route={route} />}
    </Shell>
  );
}
