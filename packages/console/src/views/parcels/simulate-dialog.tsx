import type { AdminStatus } from '@parcelway/contracts/admin-status';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { faultsAt } from '@parcelway/page/api/failure';
import { Dialog } from '@parcelway/page/parts/dialog';
import { useState } from 'preact/hooks';
import { simulate } from '../../api/parcels.ts';
import { useAction } from '../../data/use-action.ts';
import { useWords } from '../../messages/language.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { Field } from '../../parts/field.tsx';
import { useClient } from '../../session/session.tsx';
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
} from './simulation-values.ts';

/** What the dialog needs. */
export interface SimulateDialogProps {
  readonly forecast: ForecastDetail;
  readonly onClose: () => void;
  /** @param warnings why the step has no effect, if it has none */
  readonly onPlayed: (warnings: readonly string[]) => void;
}

interface PartProps {
  readonly values: SimulationValues;
  readonly change: (part: Partial<SimulationValues>) => void;
}

/** What the carrier reports. */
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
export function SimulateDialog({ forecast, onClose, onPlayed }: SimulateDialogProps) {
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
