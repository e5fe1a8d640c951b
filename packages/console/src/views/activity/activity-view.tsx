import { useWords } from '../../messages/language.ts';
import { PageHeading } from '../../parts/lists.tsx';
import { hrefOf, type Route } from '../../routing/route.ts';
import { useKeyNames } from '../../session/session.tsx';
import { AuditLogTab } from './audit-log-tab.tsx';
import { FailedCallsTab, FailedCallView } from './failed-calls.tsx';
import { UsageTab } from './usage-tab.tsx';

type ActivityRoute = Extract<Route, { readonly view: 'usage' | 'failed-calls' | 'failed-call' | 'audit-log' }>;

function Tabs({ view }: { readonly view: ActivityRoute['view'] }) {
  const { t } = useWords();
  const tabs: ReadonlyArray<readonly [ActivityRoute, string]> = [
    [{ view: 'usage', days: '' }, t.activity.usage],
    [{ view: 'failed-calls', requestId: '', code: '', keyId: '' }, t.activity.failedCalls],
    [{ view: 'audit-log', action: '', day: '' }, t.activity.auditLog],
  ];
  return (
    <nav class="tabs activity-tabs" aria-label={t.activity.title}>
      {tabs.map(([to, name]) => (
        <a key={to.view} href={hrefOf(to)} aria-current={view === to.view ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** What the keys of the merchant did: usage, failed calls, and the audit log. */
export function ActivityView({ route }: { readonly route: ActivityRoute }) {
  const { t } = useWords();
  // Without the descriptions, keys are shown by their ids.
  const names = useKeyNames();
  if (route.view === 'failed-call') return <FailedCallView key={route.requestId} requestId={route.requestId} names={names} />;
  return (
    <>
      <PageHeading title={t.activity.title} />
      <Tabs view={route.view} />
      {route.view === 'usage' && <UsageTab days={route.days} />}
      {route.view === 'failed-calls' && (
        <FailedCallsTab filter={{ requestId: route.requestId, code: route.code, keyId: route.keyId }} names={names} />
      )}
      {route.view === 'audit-log' && <AuditLogTab filter={{ action: route.action, day: route.day }} names={names} />}
    </>
  );
}
