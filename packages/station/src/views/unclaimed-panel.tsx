import { fill, nameIn } from '@parcelway/page/languages';
import type { RecentReport } from '../bench/bench-runner.ts';
import type { AtUnclaimed, Choice, UnclaimedDoing, UnclaimedPage, UnclaimedParcel } from '../domain/unclaimed.ts';
import { useWords } from '../messages/language.ts';
import { sizeText } from './command-line.tsx';
import { KeyButton } from './panels.tsx';

export interface UnclaimedPanelProps {
  readonly flow: AtUnclaimed;
  readonly recent: readonly RecentReport[];
  readonly onLine: (text: string) => void;
  readonly onEscape: () => void;
}

type Presses = Omit<UnclaimedPanelProps, 'flow'>;
const timeOf = ({ occurred_at }: UnclaimedParcel['reports'][number], locale: string): string =>
  new Date(occurred_at).toLocaleString(locale);

function WaitingList({ page, onLine, onEscape }: { readonly page: UnclaimedPage } & Omit<Presses, 'recent'>) {
  const { t, locale } = useWords();
  return (
    <section class="panel" aria-label={t.commands.unclaimed}>
      <h1>{t.commands.unclaimed}</h1>
      {page.parcels.length === 0 && <p class="large">{t.unclaimed.none}</p>}
      <ol class="candidates">
        {page.parcels.map((parcel, index) => (
          <li key={parcel.id}>
            <button type="button" onClick={() => onLine(String(index + 1))}>
              <kbd>{index + 1}</kbd>
              <span class="candidate">
                <strong>{parcel.number}</strong>
                <span>
                  {t.unclaimed.reasons[parcel.reason]}
                  {parcel.candidates.length > 0 && ` · ${fill(t.unclaimed.candidates, parcel.candidates.length)}`}
                </span>
                <span class="faint">
                  {[...new Set(parcel.reports.map(({ type }) => t.reportTypes[type] ?? type))].join(', ')} · {t.unclaimed.waits}{' '}
                  {parcel.reports[0] && timeOf(parcel.reports[0], locale)}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ol>
      <p class="buttons">
        {page.cursors.length > 0 && <KeyButton keyName="-" label={t.unclaimed.older} onPress={() => onLine('-')} />}
        {page.next !== undefined && <KeyButton keyName="+" label={t.unclaimed.newer} onPress={() => onLine('+')} />}
        <KeyButton keyName="Esc" label={t.common.back} onPress={onEscape} />
      </p>
    </section>
  );
}

function ForecastLines({ forecast, matchedBy }: Choice) {
  const { t } = useWords();
  return (
    <span class="candidate">
      <strong>{forecast.po_number || forecast.forecast_no}</strong>
      <span>
        {nameIn(t.parcel.types, forecast.forecast_type)} · {nameIn(t.statuses, forecast.status)} ·{' '}
        {fill(t.parcel.items, forecast.item_count)}
      </span>
      <span class="faint">
        {forecast.forecast_no} · {t.parcel.merchant} {forecast.tenant_id} ·{' '}
        {matchedBy === undefined ? t.unclaimed.declares : t.matchedBy[matchedBy]}
      </span>
    </span>
  );
}

function Whose({ now, recent, onLine, onEscape }: { readonly now: Extract<UnclaimedDoing, { what: 'whose' }> } & Presses) {
  const { t, locale } = useWords();
  const { parcel, choices, hasMore } = now;
  return (
    <section class="panel" aria-label={parcel.number}>
      <h1>
        {parcel.number} <span class="flag flag-wait">{t.unclaimed.reasons[parcel.reason]}</span>
      </h1>
      <h2>{t.unclaimed.reported}</h2>
      <ul class="content" aria-label={t.unclaimed.reported}>
        {parcel.reports.map((report) => {
          // Known of what was reported from this page.
          const { measured, photos = 0 } = recent.find(({ eventId }) => eventId === report.id) ?? {};
          return (
            <li key={report.id}>
              {t.reportTypes[report.type]}{' '}
              {measured && (
                <strong>
                  {measured.weightKg} kg, {sizeText(measured.size)}
                </strong>
              )}
              <span class="faint">
                {' '}
                · {photos > 0 && `${fill(t.photos.count, photos)} · `}
                {timeOf(report, locale)}
              </span>
            </li>
          );
        })}
      </ul>
      {choices.length > 0 && <h2>{t.unclaimed.choices}</h2>}
      <ol class="candidates">
        {choices.map((choice, index) => (
          <li key={choice.forecast.forecast_no}>
            <button type="button" onClick={() => onLine(String(index + 1))}>
              <kbd>{index + 1}</kbd>
              <ForecastLines {...choice} />
            </button>
          </li>
        ))}
      </ol>
      {hasMore && <p>{t.choose.more}</p>}
      <p class="large">{t.unclaimed.noChoices}</p>
      <p class="buttons">
        <KeyButton keyName="X" label={t.unclaimed.dismiss} tone="danger" onPress={() => onLine('X')} />
        <KeyButton keyName="Esc" label={t.common.back} onPress={onEscape} />
      </p>
    </section>
  );
}

const MAX_ITEMS = 8;

function Confirm({ now, onLine, onEscape }: { readonly now: Extract<UnclaimedDoing, { what: 'confirm' }> } & Omit<Presses, 'recent'>) {
  const { t, language } = useWords();
  const { parcel, forecast } = now;
  const matchedBy = now.before.choices.find((choice) => choice.forecast.forecast_no === forecast.forecast_no)?.matchedBy;
  return (
    <section class="panel" aria-label={fill(t.unclaimed.question, parcel.number)}>
      <h1>{fill(t.unclaimed.question, parcel.number)}</h1>
      {forecast.status === 7 && <p class="alarm">{t.parcel.cancelled}</p>}
      <ForecastLines forecast={forecast} {...(matchedBy === undefined ? {} : { matchedBy })} />
      <ul class="content">
        {forecast.items.slice(0, MAX_ITEMS).map((item) => (
          <li key={`${item.sku_code} ${item.tracking_number}`}>
            <strong>{item.forecast_quantity}</strong> ×{' '}
            {(language === 'zh' ? item.product_name_cn : undefined) || item.product_name_en || item.product_name_cn} ({item.sku_code})
          </li>
        ))}
        {forecast.items.length > MAX_ITEMS && <li>{fill(t.reports.more, forecast.items.length - MAX_ITEMS)}</li>}
      </ul>
      <p>{fill(t.unclaimed.effect, parcel.reports.length)}</p>
      <p class="buttons">
        <KeyButton keyName="Enter" label={t.unclaimed.claim} tone="primary" onPress={() => onLine('')} />
        <KeyButton keyName="Esc" label={t.common.back} onPress={onEscape} />
      </p>
    </section>
  );
}

/** The unclaimed parcels of the warehouse: which wait, whose one is, and whether that is right. */
export function UnclaimedPanel({ flow, ...presses }: UnclaimedPanelProps) {
  const { t } = useWords();
  const { page, doing } = flow;
  const now = doing.what === 'busy' ? doing.before : doing;
  switch (now.what) {
    case 'whose':
      return <Whose now={now} {...presses} />;
    case 'confirm':
      return <Confirm now={now} {...presses} />;
    case 'reason':
      return (
        <section class="panel" aria-label={t.unclaimed.dismiss}>
          <h1>{fill(t.unclaimed.dismissal, now.parcel.number)}</h1>
          <p class="buttons">
            <KeyButton keyName="Esc" label={t.common.back} onPress={presses.onEscape} />
          </p>
        </section>
      );
    default:
      return doing.what === 'busy' && page.parcels.length === 0 ? (
        <section class="panel idle" aria-busy="true" />
      ) : (
        <WaitingList page={page} {...presses} />
      );
  }
}
