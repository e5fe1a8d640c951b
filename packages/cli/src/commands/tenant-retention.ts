import type { Command } from 'commander';
import type { Data } from '../admin-client.ts';
import type { CommandContext, Io } from '../command-context.ts';
import { confirm, withConfirmation } from '../confirmation.ts';
import { wholeNumber } from '../option-values.ts';
import { renderRecord } from '../table.ts';

type Days = number | 'installation';

interface RetentionOptions {
  readonly forecastDays?: Days;
  readonly fileDays?: Days;
  readonly yes?: boolean;
}

const ofApi = (days: Days): number | null => (days === 'installation' ? null : days);

const wholeDays = wholeNumber(7, 3650, 'Enter 7 to 3650 days, or installation for the time of the installation.');

/** Days of a retention: a whole number, or `installation`. @throws InvalidArgumentError */
const parseDays = (text: string): Days => (text === 'installation' ? text : wholeDays(text));

const isChange = ({ forecastDays, fileDays }: RetentionOptions): boolean => forecastDays !== undefined || fileDays !== undefined;
const shown = (days: unknown): unknown => days ?? 'as the installation';
const daysOf = (days: unknown): string => (typeof days === 'number' ? `${days} days` : 'the time of the installation');

/** One part of the question: what is kept, how long after the change, and how long now. */
const changeOf = (what: string, days: Days | undefined, now: unknown): string[] =>
  days === undefined ? [] : [`${what} for ${daysOf(days)} instead of ${daysOf(now)}`];

/** Gets a confirmation before anything is changed. @param current what the API says now @throws CliError */
async function confirmChange(io: Io, tenantId: string, { forecastDays, fileDays }: RetentionOptions, current: Data): Promise<void> {
  const changes = [
    ...changeOf('forecasts', forecastDays, current['forecast_days']),
    ...changeOf('PDFs and photos', fileDays, current['file_days']),
  ];
  const effect = 'What has ended longer ago is deleted, beginning within 10 minutes, and a longer time does not bring it back.';
  await confirm(io, `Keep of ${tenantId} ${changes.join(', and ')}? ${effect}`, 'Nothing was changed.');
}

/** Adds `tenant retention`: shows it without options, else sets it. */
export function addTenantRetention(tenant: Command, { io, act }: CommandContext): void {
  const run = act<RetentionOptions>(async (client, [id = ''], options) => {
    const { forecastDays, fileDays, yes = false } = options;
    const path = `/admin/v1/tenants/${encodeURIComponent(id)}/retention`;
    const body = {
      ...(forecastDays !== undefined && { forecast_days: ofApi(forecastDays) }),
      ...(fileDays !== undefined && { file_days: ofApi(fileDays) }),
    };
    if (isChange(options) && !yes) await confirmChange(io, id, options, await client.call(path));
    const data = await client.call(path, isChange(options) ? { method: 'PATCH', body } : {});
    return { data, text: renderRecord({ ...data, forecast_days: shown(data['forecast_days']), file_days: shown(data['file_days']) }) };
  });
  const command = tenant
    .command('retention')
    .description('Show or set how long data of a tenant is kept after its forecasts have ended. Asks for confirmation before it sets')
    .argument('<tenant>', 'id of the tenant, tnt_…')
    .option('--forecast-days <days>', 'forecasts, with all that belongs to them: 7 to 3650, or installation', parseDays)
    .option('--file-days <days>', 'their PDFs and photos: 7 to 3650 and not longer than forecasts, or installation', parseDays)
    .action(run);
  withConfirmation(command, io, 'Check with parcelctl tenant retention TENANT what is set now', isChange);
}
