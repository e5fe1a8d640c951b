import { adminStatuses } from '@parcelway/contracts/admin-status';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { SimulationResult } from '@parcelway/contracts/sandbox-api';
import { pathOf } from '@parcelway/page/api/client';
import { faultsAt } from '@parcelway/page/api/failure';
import { useAnnounce } from '@parcelway/page/parts/announce';
import { FormDialog, useAsk } from '@parcelway/page/parts/form-dialog';
import { Button } from '@parcelway/page/parts/view';
import { useState } from 'preact/hooks';
import { FORECAST } from '../../api/parcels.ts';
import { useValues } from '../../data/hooks.ts';
import { useWords } from '../../messages/language.ts';
import { Field, SelectField, TextField } from '../../parts/forms.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient, usePermissions } from '../../session/session.tsx';
import { correctable } from './forecast-values.ts';
import { firstSimulation, hasText, isOutOfTurn, measures, type SimulationStep, simulationOf, simulationSteps } from './parcel-values.ts';

interface SimulateDialogProps {
  readonly forecast: ForecastDetail;
  readonly onClose: () => void;
  /** @param warnings why the step has no effect, if it has none */
  readonly onPlayed: (warnings: readonly string[]) => void;
}

/** Plays the warehouse or the carrier for a parcel; sandbox only. */
function SimulateDialog({ forecast, onClose, onPlayed }: SimulateDialogProps) {
  const { t } = useWords();
  const client = useClient();
  const [values, change] = useValues(() => firstSimulation(forecast));
  const { step } = values;
  const play = async (): Promise<void> => {
    const { warnings } = await client.call<SimulationResult>('/sandbox/v1/simulations', {
      method: 'POST',
      body: simulationOf(forecast.po_number, values),
    });
    onPlayed(warnings.map(({ message }) => message));
  };
  return (
    <FormDialog
      title={t.simulation.title}
      text={t.simulation.text}
      submit={t.simulation.play}
      noValidate
      shownAtFields={measures}
      onSubmit={play}
      onClose={onClose}
    >
      {(failure) => (
        <>
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
              <TextField
                key={name}
                label={t.simulation.measures[name]}
                faults={faultsAt(failure, name)}
                inputMode="decimal"
                value={values.measures[name]}
                onValue={(value) => change({ measures: { ...values.measures, [name]: value } })}
              />
            ))}
          {step === 'track' && (
            <SelectField
              label={t.simulation.adminStatus}
              value={values.adminStatus}
              options={adminStatuses.map((status) => [status, t.parcel.adminStatuses[status] ?? status])}
              onValue={(adminStatus) => change({ adminStatus })}
            />
          )}
          {hasText(step) && (
            <TextField
              label={t.keys.description}
              optional={t.common.optional}
              maxLength={500}
              value={values.text}
              onValue={(text) => change({ text })}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

interface ParcelActionsProps {
  readonly forecast: ForecastDetail;
  readonly onChange: () => void;
  readonly onPlayed: () => void;
}

const CANCELLED = 7;

export function ParcelActions({ forecast, onChange, onPlayed }: ParcelActionsProps) {
  const { t } = useWords();
  const client = useClient();
  const announce = useAnnounce();
  const { can, isSandbox } = usePermissions();
  const [simulating, setSimulating] = useState(false);
  const [dialog, ask] = useAsk();
  const { po_number: poNumber, status } = forecast;
  if (!can('forecasts:write')) return null;
  const cancel = (): void =>
    ask({
      title: t.parcelForm.cancelTitle,
      text: t.parcelForm.cancelText,
      submit: t.parcelForm.cancel,
      keep: t.parcelForm.keep,
      danger: true,
      run: async () => {
        await client.call(pathOf(`${FORECAST}/cancel`, poNumber), { method: 'POST' });
        onChange();
        return t.parcelForm.cancelled;
      },
    });
  const close = (): void => setSimulating(false);
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
      {isSandbox && status !== CANCELLED && <Button onClick={() => setSimulating(true)} text={t.simulation.open} />}
      {status === 1 && <Button class="danger-quiet" onClick={cancel} text={t.parcelForm.cancel} />}
      {dialog}
      {simulating && <SimulateDialog forecast={forecast} onClose={close} onPlayed={played} />}
    </>
  );
}
