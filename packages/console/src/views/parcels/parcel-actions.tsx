import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { useState } from 'preact/hooks';
import { cancelForecast } from '../../api/parcels.ts';
import { useWords } from '../../messages/language.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient, usePermissions } from '../../session/session.tsx';
import { correctable } from './forecast-values.ts';
import { SimulateDialog } from './simulate-dialog.tsx';

/** What the actions need. */
export interface ParcelActionsProps {
  readonly forecast: ForecastDetail;
  /** Called when the parcel is different now. */
  readonly onChange: () => void;
  /** Called when the parcel will be different in a moment. */
  readonly onPlayed: () => void;
}

/** Status of a parcel that nothing happens to any more. */
const CANCELLED = 7;

/** Everything that can be done with a parcel in its state and with this key. */
export function ParcelActions({ forecast, onChange, onPlayed }: ParcelActionsProps) {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const { can, isSandbox } = usePermissions();
  const [open, setOpen] = useState<'cancel' | 'simulate'>();
  const { po_number: poNumber, status } = forecast;
  const close = (): void => setOpen(undefined);
  if (!can('forecasts:write')) return null;
  const cancel = async (): Promise<void> => {
    await cancelForecast(client, poNumber);
    close();
    announce(t.parcelForm.cancelled);
    onChange();
  };
  const played = (warnings: readonly string[]): void => {
    close();
    announce(warnings.length === 0 ? t.simulation.played : warnings.map((each) => t.faults.say(each)).join(' '));
    onPlayed();
  };
  return (
    <>
      {correctable(status) !== 'nothing' && (
        <a class="button" href={hrefOf({ view: 'correct-parcel', poNumber })}>
          {t.parcelForm.correct}
        </a>
      )}
      {isSandbox && status !== CANCELLED && (
        <button type="button" onClick={() => setOpen('simulate')}>
          {t.simulation.open}
        </button>
      )}
      {status === 1 && (
        <button type="button" class="danger-quiet" onClick={() => setOpen('cancel')}>
          {t.parcelForm.cancel}
        </button>
      )}
      {open === 'cancel' && (
        <ConfirmDialog
          title={t.parcelForm.cancelTitle}
          text={t.parcelForm.cancelText}
          confirm={t.parcelForm.cancel}
          keep={t.parcelForm.keep}
          danger
          onConfirm={cancel}
          onClose={close}
        />
      )}
      {open === 'simulate' && <SimulateDialog forecast={forecast} onClose={close} onPlayed={played} />}
    </>
  );
}
