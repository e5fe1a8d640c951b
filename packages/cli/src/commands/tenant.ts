import { type Command, InvalidArgumentError } from 'commander';
import { type CommandContext, rowsOf } from '../command-context.ts';
import { readPages } from '../read-pages.ts';
import { type Column, renderRecord, renderTable } from '../table.ts';
import { addTenantErase } from './tenant-erase.ts';
import { addTenantExport } from './tenant-export.ts';

const columns: readonly Column[] = [
  ['TENANT', 'id'],
  ['NAME', 'name'],
  ['STATUS', 'status'],
  ['CREATED', 'create_time'],
];

type Days = number | 'installation';

const ofApi = (days: Days): number | null => (days === 'installation' ? null : days);

/** Days of a retention: a whole number, or `installation`. @throws InvalidArgumentError */
function parseDays(text: string): Days {
  if (text === 'installation') return text;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days < 7 || days > 3650) throw new InvalidArgumentError('Enter 7 to 3650 days, or installation for the time of the installation.');
  return days;
}

interface RetentionOptions {
  readonly forecastDays?: Days;
  readonly fileDays?: Days;
}

/** Adds `tenant retention`: shows it without options, else sets it. */
function addRetention(tenant: Command, { act }: CommandContext): void {
  tenant
    .command('retention')
    .description('Show or set how long data of a tenant is kept after its forecasts have ended')
    .argument('<tenant>', 'id of the tenant, tnt_…')
    .option('--forecast-days <days>', 'forecasts, with all that belongs to them: 7 to 3650, or installation', parseDays)
    .option('--file-days <days>', 'their PDFs and photos: 7 to 3650 and not longer than forecasts, or installation', parseDays)
    .action(
      act<RetentionOptions>(async (client, [id = ''], { forecastDays, fileDays }) => {
        const path = `/admin/v1/tenants/${encodeURIComponent(id)}/retention`;
        const body = {
          ...(forecastDays !== undefined && { forecast_days: ofApi(forecastDays) }),
          ...(fileDays !== undefined && { file_days: ofApi(fileDays) }),
        };
        const data = await client.call(path, Object.keys(body).length === 0 ? {} : { method: 'PATCH', body });
        const shown = (days: unknown): unknown => days ?? 'as the installation';
        const text = renderRecord({ ...data, forecast_days: shown(data['forecast_days']), file_days: shown(data['file_days']) });
        return { data, text };
      }),
    );
}

/** Adds `tenant …`. */
export function addTenantCommands(program: Command, context: CommandContext): void {
  const { act } = context;
  const tenant = program.command('tenant').description('Merchants of the platform');
  tenant
    .command('create')
    .description('Create a tenant. Then issue a key: parcelctl key issue --tenant ID')
    .requiredOption('--name <name>', 'name of the merchant')
    .action(
      act<{ name: string }>(async (client, _args, { name }) => {
        const data = await client.call('/admin/v1/tenants', { body: { name } });
        const { warnings: _, ...tenant } = data;
        return {
          data,
          text:
            renderRecord(tenant) +
            rowsOf(data, 'warnings')
              .map(({ message }) => `\nWarning: ${message}\n`)
              .join(''),
        };
      }),
    );
  tenant
    .command('list')
    .description('List tenants')
    .action(
      act(async (client) => {
        const data = await readPages(client, '/admin/v1/tenants', 'tenants');
        return {
          data,
          text: renderTable(rowsOf(data, 'tenants'), columns, 'There are no tenants. Create one: parcelctl tenant create --name NAME'),
        };
      }),
    );
  for (const [verb, effect] of [
    ['suspend', 'Suspend a tenant. Within 5 s, all its calls are refused with 40302'],
    ['resume', 'End the suspension of a tenant'],
  ] as const) {
    tenant
      .command(verb)
      .description(effect)
      .argument('<tenant>', 'id of the tenant, tnt_…')
      .action(
        act(async (client, [id = '']) => {
          const data = await client.call(`/admin/v1/tenants/${encodeURIComponent(id)}/${verb}`, { method: 'POST' });
          return { data, text: renderRecord(data) };
        }),
      );
  }
  addTenantExport(tenant, context);
  addTenantErase(tenant, context);
  addRetention(tenant, context);
}
