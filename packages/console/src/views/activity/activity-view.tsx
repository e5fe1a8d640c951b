import type { Usage } from '@parcelway/contracts/activity-api';
import { fill } from '@parcelway/page/languages';
import { Card, LoadedBody, PageHeading, Refresh } from '@parcelway/page/parts/view';
import { bytesText } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import { DayChart } from '../../parts/charts.tsx';
import { Select } from '../../parts/forms.tsx';
import { Tabs } from '../../parts/lists.tsx';
import { hrefOf, type Route } from '../../routing/route.ts';
import { goTo } from '../../routing/use-route.ts';
import { useKeyNames, useRead } from '../../session/session.tsx';
import { amountsOf, amountText, daysOf, latestDays, metrics, ranges, storedBytesOf } from './activity-values.ts';
import { AuditLogTab } from './audit-log-tab.tsx';
import { FailedCallsTab, FailedCallView } from './failed-calls.tsx';

type ActivityRoute = Extract<Route, { readonly view: 'usage' | 'failed-calls' | 'failed-call' | 'audit-log' }>;

function Total({ usage }: { readonly usage: Usage }) {
  const { t, locale } = useWords();
  const { storage } = usage.total;
  return (
    <Card title={t.usage.total}>
      <dl class="figures usage-total">
        {metrics.map((metric) => (
          <div key={metric}>
            <dt>{t.usage.metrics[metric]}</dt>
            <dd>{amountText(metric, usage.total[metric], locale)}</dd>
          </div>
        ))}
        <div>
          <dt>{t.usage.stored}</dt>
          <dd>
            {storage === null ? '–' : bytesText(storage.bytes, locale)}
            {storage !== null && <span class="unit"> {fill(t.usage.inFiles, storage.files)}</span>}
          </dd>
        </div>
      </dl>
      <p class="hint">{t.usage.storedHint}</p>
    </Card>
  );
}

/** What was used on each of the latest days. @param days as the address has it; empty for the standard */
function UsageTab({ days }: { readonly days: string }) {
  const { t, locale } = useWords();
  const chosen = daysOf(days);
  const loaded = useRead(`usage ${chosen}`, (client, signal) => {
    const { from, to } = latestDays(chosen, Date.now());
    return client.call<Usage>('/open/v1/usage', { query: { from_date: from, to_date: to }, signal });
  });
  return (
    <>
      <p class="lead">{t.usage.lead}</p>
      <search class="filters">
        <Select
          label={t.usage.range}
          value={String(chosen)}
          options={ranges.map((range) => [String(range), fill(t.usage.lastDays, range)])}
          onValue={(value) => goTo({ view: 'usage', days: value })}
        />
        <Refresh loaded={loaded} />
      </search>
      <LoadedBody loaded={loaded}>
        {(usage) => (
          <>
            <Total usage={usage} />
            <div class="charts">
              {metrics.map((metric) => (
                <DayChart
                  key={metric}
                  name={t.usage.metrics[metric]}
                  amounts={amountsOf(usage, metric)}
                  textOf={(amount) => amountText(metric, amount, locale)}
                />
              ))}
              <DayChart name={t.usage.stored} amounts={storedBytesOf(usage)} textOf={(amount) => bytesText(amount, locale)} />
            </div>
          </>
        )}
      </LoadedBody>
    </>
  );
}

/** What the keys of the merchant did: usage, failed calls, and the audit log. */
export function ActivityView({ route }: { readonly route: ActivityRoute }) {
  const { t } = useWords();
  // Without the descriptions, keys are shown by their ids.
  const names = useKeyNames();
  if (route.view === 'failed-call') return <FailedCallView key={route.requestId} requestId={route.requestId} names={names} />;
  const tabs: ReadonlyArray<readonly [ActivityRoute, string]> = [
    [{ view: 'usage', days: '' }, t.activity.usage],
    [{ view: 'failed-calls', requestId: '', code: '', keyId: '' }, t.activity.failedCalls],
    [{ view: 'audit-log', action: '', day: '' }, t.activity.auditLog],
  ];
  return (
    <>
      <PageHeading title={t.nav.activity} />
      <Tabs label={t.nav.activity} links={tabs.map(([to, name]) => [hrefOf(to), name, route.view === to.view])} />
      {route.view === 'usage' && <UsageTab days={route.days} />}
      {route.view === 'failed-calls' && (
        <FailedCallsTab filter={{ requestId: route.requestId, code: route.code, keyId: route.keyId }} names={names} />
      )}
      {route.view === 'audit-log' && <AuditLogTab filter={{ action: route.action, day: route.day }} names={names} />}
    </>
  );
}
