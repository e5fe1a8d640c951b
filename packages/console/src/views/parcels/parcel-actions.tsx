import type { AdminStatus } from '@parcelway/contracts/admin-status';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { faultsAt } from '@parcelway/page/api/failure';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { Dialog } from '@parcelway/page/parts/dialog';
import { useState } from 'preact/hooks';
import { cancelForecast, simulate } from '../../api/parcels.ts';
import { useAction } from '../../data/hooks.ts';
import { useWords } from '../../messages/language.ts';
import { ConfirmDialog, FailureNotice, Field } from '../../parts/forms.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient, usePermissions } from '../../session/session.tsx';
import { correctable } from './forecast-values.ts';
import {
  carrierStatuses,
  firstSimulation,
  hasText,
  isOutOfTurn,
  measures,
  type SimulationStep,
  type SimulationValues,
  simulationOf,
  simulationSteps,
} from './parcel-values.ts';

interface SimulateDialogProps {
  readonly forecast: ForecastDetail;
  readonly onClose: () => void;
  /** @param warnings why the step has no effect, if it has none */
  readonly onPlayed: (warnings: readonly string[]) => void;
}

interface PartProps {
  readonly values: SimulationValues;
  readonly change: (part: Partial<SimulationValues>) => void;
}

function CarrierStatus({ values, change }: PartProps) {
  const { t } = useWords();
  return (
    <Field label={t.simulation.adminStatus}>
      {(ids) => (
        <select {...ids} value={values.adminStatus} onChange={(event) => change({ adminStatus: event.currentTarget.value as AdminStatus })}>
          {carrierStatuses.map((status) => (
            <option key={status} value={status}>
              {t.parcel.adminStatuses[status] ?? status}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** Plays the warehouse or the carrier for a parcel; sandbox only. */
function SimulateDialog({ forecast, onClose, onPlayed }: SimulateDialogProps) {
  const { t } = useWords();
  const client = useClient();
  const action = useAction();
  const [values, setValues] = useState(() => firstSimulation(forecast));
  const change = (part: Partial<SimulationValues>): void => setValues((before) => ({ ...before, ...part }));
  const { step } = values;
  const play = async (): Promise<void> => {
    const { warnings } = await simulate(client, simulationOf(forecast.po_number, values));
    onPlayed(warnings.map(({ message }) => message));
  };
  return (
    <Dialog title={t.simulation.title} onClose={onClose}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          action.run(play);
        }}
      >
        <p>{t.simulation.text}</p>
        <Field label={t.simulation.step}>
          {(ids) => (
            <select {...ids} value={step} onChange={(event) => change({ step: event.currentTarget.value as SimulationStep })}>
              {simulationSteps.map((each) => (
                <option key={each} value={each} disabled={isOutOfTurn(each, forecast)}>
                  {t.simulation.steps[each]}
                </option>
              ))}
            </select>
          )}
        </Field>
        {step === 'weigh' &&
          measures.map((name) => (
            <Field key={name} label={t.simulation.measures[name]} faults={faultsAt(action.failure, name)}>
              {(ids) => (
                <input
                  {...ids}
                  inputMode="decimal"
                  value={values.measures[name]}
                  onInput={(event) => change({ measures: { ...values.measures, [name]: event.currentTarget.value } })}
                />
              )}
            </Field>
          ))}
        {step === 'track' && <CarrierStatus values={values} change={change} />}
        {hasText(step) && (
          <Field label={t.simulation.words} optional={t.common.optional}>
            {(ids) => (
              <input {...ids} maxLength={500} value={values.text} onInput={(event) => change({ text: event.currentTarget.value })} />
            )}
          </Field>
        )}
        <FailureNotice failure={action.failure} shownAtFields={measures} />
        <div class="dialog-actions">
          <button type="button" onClick={onClose}>
            {t.common.cancel}
          </button>
          <button type="submit" class="primary" aria-disabled={action.busy}>
            {action.busy ? t.common.working : t.simulation.play}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface ParcelActionsProps {
  readonly forecast: ForecastDetail;
  /** Called when the parcel is different now. */
  readonly onChange: () => void;
  /** Called when the parcel will be different in a moment. */
  readonly onPlayed: () => void;
}

/** Status of a parcel that nothing happens to any more. */
const CANCELLED = 7;

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
