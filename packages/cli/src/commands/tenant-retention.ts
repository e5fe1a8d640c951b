import type { Data } from '../admin-client.ts';
import { type ApiCommand, argument, option, type Parameter, type Values, YES } from '../api-command.ts';
import { confirm } from '../command-context.ts';
import { parseNumber } from '../option-values.ts';
import { renderRecord } from '../table.ts';

const isChange = ({ forecastDays, fileDays }: Values): boolean => forecastDays !== undefined || fileDays !== undefined;
const shown = (days: unknown): unknown => days ?? 'as the installation';
const daysOf = (days: unknown): string => (typeof days === 'number' ? `${days} days` : 'the time of the installation');

/** The question before a change: what is kept, how long after it, and how long now. */
function questionOf({ tenant, forecastDays, fileDays }: Values, current: Data): string {
  const change = (what: string, days: unknown, now: unknown): string[] =>
    days === undefined ? [] : [`${what} for ${daysOf(days)} instead of ${daysOf(now)}`];
  const changes = [
    ...change('forecasts', forecastDays, current['forecast_days']),
    ...change('PDFs and photos', fileDays, current['file_days']),
  ];
  const effect = 'What has ended longer ago is deleted, beginning within 10 minutes, and a longer time does not bring it back.';
  return `Keep of ${tenant} ${changes.join(', and ')}? ${effect}`;
}

/** An option that takes a number of days, or `installation` for the default of the installation. */
const days = (...given: Parameters<typeof option>): Parameter => ({ ...option(...given), nullWord: 'installation' });

/** `tenant retention`: shows it without options, else sets it. */
export const tenantRetention: ApiCommand = {
  name: 'retention',
  about: 'Show or set how long data of a tenant is kept after its forecasts have ended. Asks for confirmation before it sets',
  route: (values) => `${isChange(values) ? 'PATCH' : 'GET'} /admin/v1/tenants/{tenant}/retention`,
  parameters: [
    argument('<tenant>', 'id of the tenant, tnt_…'),
    days('--forecast-days <days>', 'forecasts, with all that belongs to them: 7 to 3650, or installation', 'forecast_days', parseNumber),
    days('--file-days <days>', 'their PDFs and photos: 7 to 3650 and not longer than forecasts, or installation', 'file_days', parseNumber),
    YES,
  ],
  asks: { hint: 'Check with parcelctl tenant retention TENANT what is set now', isNeeded: isChange },
  async fetch(client, { path, call, values }, io) {
    if (isChange(values) && values['yes'] !== true) await confirm(io, questionOf(values, await client.call(path)), 'Nothing was changed.');
    return client.call(path, call);
  },
  show: (data) => renderRecord({ ...data, forecast_days: shown(data['forecast_days']), file_days: shown(data['file_days']) }),
};
