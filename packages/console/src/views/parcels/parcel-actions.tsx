import { adminStatuses } from '@parcelway/contracts/admin-status';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { SimulationResult } from '@parcelway/contracts/sandbox-api';
import { pathOf } from '@parcelway/page/api/client';
import { faultsAt } from '@parcelway/page/api/failure';
import { nameIn } from '@parcelway/page/languages';
import { type Typed, useAsk } from '@parcelway/page/parts/form-dialog';
import { Button, LinkButton } from '@parcelway/page/parts/view';
import { FORECAST } from '../../api/parcels.ts';
import { inWords } from '../../messages/failure-text.ts';
import { useWords } from '../../messages/language.ts';
import { Field, SelectField, TextField } from '../../parts/forms.tsx';
import { hrefOf } from '../../routing/route.ts';
import { useClient, usePermissions } from '../../session/session.tsx';
import { correctable } from './forecast-values.ts';
import {
  firstSimulation,
  hasText,
  isOutOfTurn,
  measures,
  type SimulationStep,
  type SimulationValues,
  simulationOf,
  simulationSteps,
} from './parcel-values.ts';

/** The step to play for the warehouse or the carrier. */
function SimulationForm({ forecast, values, change, failure }: Typed<SimulationValues> & { readonly forecast: ForecastDetail }) {
  const { t } = useWords();
  const { step } = values;
  return (
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
          options={adminStatuses.map((status) => [status, nameIn(t.parcel.adminStatuses, status)])}
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
  const { can, isSandbox } = usePermissions();
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
  const simulate = (): void =>
    ask<SimulationValues>({
      title: t.simulation.title,
      text: t.simulation.text,
      submit: t.simulation.play,
      noValidate: true,
      shownAtFields: measures,
      first: firstSimulation(forecast),
      draw: (typed) => <SimulationForm forecast={forecast} {...typed} />,
      async run(values) {
        const call = { method: 'POST', body: simulationOf(poNumber, values) } as const;
        const { warnings } = await client.call<SimulationResult>('/sandbox/v1/simulations', call);
        onPlayed();
        // Why the step has no effect, if it has none.
        return warnings.length === 0 ? t.simulation.played : warnings.map(({ message }) => inWords(message, t)).join(' ');
      },
    });
  return (
    <>
      {correctable(status) !== 'nothing' && <LinkButton href={hrefOf({ view: 'correct-parcel', poNumber })} text={t.parcelForm.correct} />}
      {isSandbox && status !== CANCELLED && <Button onClick={simulate} text={t.simulation.open} />}
      {status === 1 && <Button class="danger-quiet" onClick={cancel} text={t.parcelForm.cancel} />}
      {dialog}
    </>
  );
}
