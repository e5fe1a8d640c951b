import type { Usage } from '@parcelway/contracts/activity-api';
import { Button } from '@parcelway/page/parts/button';
import { getUsage } from '../../api/account.ts';
import { bytesText } from '../../format.ts';
import { useWords } from '../../messages/language.ts';
import type { DayAmount } from '../../parts/chart-scale.ts';
import { DayChart } from '../../parts/charts.tsx';
import { Select } from '../../parts/forms.tsx';
import { LoadedBody } from '../../parts/lists.tsx';
import { goTo } from '../../routing/use-route.ts';
import { useRead } from '../../session/session.tsx';
import { amountsOf, amountText, daysOf, latestDays, type Metric, metrics, ranges, storedBytesOf } from './activity-values.ts';

function Total({ usage }: { readonly usage: Usage }) {
  const { t, locale } = useWords();
  const { storage } = usage.total;
  return (
    <section class="card" aria-labelledby="usage-total">
      <h2 id="usage-total">{t.usage.total}</h2>
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
            {storage !== null && <span class="unit"> {t.usage.inFiles(storage.files)}</span>}
          </dd>
        </div>
      </dl>
      <p class="hint">{t.usage.storedHint}</p>
    </section>
  );
}

/** What was used on each of the latest days. @param days as the address has it; empty for the standard */
export function UsageTab({ days }: { readonly days: string }) {
  const { t } = useWords();
  const chosen = daysOf(days);
  const loaded = useRead(`usage ${chosen}`, (client, signal) => getUsage(client, latestDays(chosen, Date.now()), signal));
  return (
    <>
      <p class="lead">{t.usage.lead}</p>
      <search class="filters">
        <Select
          label={t.usage.range}
          value={String(chosen)}
          options={ranges.map((range) => [String(range), t.usage.lastDays(range)])}
          onValue={(value) => goTo({ view: 'usage', days: value })}
        />
        <Button aria-disabled={loaded.loading} onClick={loaded.reload} text={t.common.refresh} />
      </search>
      <LoadedBody loaded={loaded}>
        {(usage) => (
          <>
            <Total usage={usage} />
            <div class="charts">
              {metrics.map((metric) => (
                <UsageChart key={metric} metric={metric} amounts={amountsOf(usage, metric)} />
              ))}
              <StorageChart amounts={storedBytesOf(usage)} />
            </div>
          </>
        )}
      </LoadedBody>
    </>
  );
}

interface UsageChartProps {
  readonly metric: Metric;
  /** Oldest first; at least one. */
  readonly amounts: readonly DayAmount[];
}

function UsageChart({ metric, amounts }: UsageChartProps) {
  const { t, locale } = useWords();
  return (
    <DayChart
      id={`usage-${metric}`}
      name={t.usage.metrics[metric]}
      amounts={amounts}
      textOf={(amount) => amountText(metric, amount, locale)}
    />
  );
}

/** What was stored, day by day. @param amounts bytes, oldest first; at least one */
function StorageChart({ amounts }: Pick<UsageChartProps, 'amounts'>) {
  const { t, locale } = useWords();
  return <DayChart id="usage-storage" name={t.usage.stored} amounts={amounts} textOf={(amount) => bytesText(amount, locale)} />;
}
