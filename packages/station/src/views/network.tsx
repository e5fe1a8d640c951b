import type { ApiFailure } from '@parcelway/page/api/failure';
import { fill } from '@parcelway/page/languages';
import { keyOf } from '../domain/entry.ts';
import { useWords } from '../messages/language.ts';
import { loadOf, type QueuedReport } from '../queue/queued-report.ts';

/** Empty for less than is worth a word. */
const megabytes = (bytes: number): string => (bytes < 100_000 ? '' : (bytes / 1_000_000).toFixed(1));

export interface NetworkProps {
  readonly online: boolean;
  readonly reports: readonly QueuedReport[];
  readonly stopped: ApiFailure | undefined;
  readonly storeWorks: boolean;
  readonly onOpen: () => void;
}

export function NetworkState({ online, reports, onOpen }: NetworkProps) {
  const { t } = useWords();
  const load = loadOf(reports);
  const tone = load.refused > 0 ? 'bad' : !online || load.waiting > 0 ? 'wait' : 'good';
  return (
    <button type="button" class={`network network-${tone}`} onClick={onOpen} title={t.reports.title}>
      <kbd>{keyOf.reports}</kbd>
      <strong>{online ? t.network.online : t.network.offline}</strong>
      <span>{load.waiting > 0 ? fill(t.network.waiting, load.waiting) : online ? t.network.allSent : t.network.nothingWaits}</span>
      {load.refused > 0 && <span>{fill(t.network.refused, load.refused)}</span>}
    </button>
  );
}

export function NetworkBanner({ online, reports, stopped, storeWorks }: Omit<NetworkProps, 'onOpen'>) {
  const { t } = useWords();
  const load = loadOf(reports);
  return (
    <div class="banners" role="status">
      {stopped !== undefined && <p class="banner banner-bad">{t.network.stopped}</p>}
      {!storeWorks && <p class="banner banner-bad">{t.network.storeFails}</p>}
      {!online && (
        <p class="banner banner-wait">
          <strong>{t.network.offlineLead}</strong> {load.waiting > 0 && `${fill(t.network.waiting, load.waiting)}. `}
          {load.photos > 0 && `${fill(t.network.photos, load.photos, megabytes(load.bytes))}.`}
        </p>
      )}
      {load.level !== 'room' && <p class="banner banner-bad">{load.level === 'full' ? t.network.full : t.network.nearlyFull}</p>}
    </div>
  );
}
