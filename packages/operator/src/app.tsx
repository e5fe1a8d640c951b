import { useWords } from './messages/language.ts';
import { Heading } from './parts.tsx';
import { hrefOf, type Route } from './route.ts';
import { useSession } from './session.tsx';
import { Shell } from './shell.tsx';
import { useRoute } from './use-route.ts';
import { DeadLettersView } from './views/dead-letters.tsx';
import { OperatorsView } from './views/operators.tsx';
import { OverviewView } from './views/overview.tsx';
import { ParcelsView } from './views/parcels.tsx';
import { FailedCallView } from './views/requests.tsx';
import { SignInView } from './views/sign-in.tsx';
import { TenantView } from './views/tenant.tsx';
import { TenantsView } from './views/tenants.tsx';
import { UnclaimedView } from './views/unclaimed.tsx';
import { WarehousesView } from './views/warehouses.tsx';

function UnknownView() {
  const { t } = useWords();
  return (
    <>
      <Heading title={t.common.unknownPage} />
      <a href={hrefOf({ view: 'overview' })}>{t.common.toOverview}</a>
    </>
  );
}

/** The view of a route. A view of another thing is another view: its key makes it start again, with the focus on its heading. */
function View({ route }: { readonly route: Route }) {
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
      return <UnknownView />;
  }
}

/** The page: sign-in, then the views. */
export function App() {
  const route = useRoute();
  const { signedIn } = useSession();
  return <Shell route={route}>{signedIn === undefined ? <SignInView /> : <View route={route} />}</Shell>;
}
