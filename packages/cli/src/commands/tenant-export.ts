import { resolve } from 'node:path';
import { version } from '@parcelway/platform/version';
import { type ApiCommand, argument, required } from '../api-command.ts';
import { exportTenant } from '../export/export-tenant.ts';

const HELP = `
One file with NDJSON for each service and kind, the contents of files and photos beside them, and manifest.json, which is written last: a folder
without it is not complete. Run the command again on the same folder to go on after an interruption. Any other folder must be new or empty.
Forecasts and shipments whose retention has ended are in the archive alone: parcelctl archive export --tenant TENANT --to-file FILE writes those.
Keys, secrets and credentials are not exported. The folder contains personal data. See docs/operate.md.`;

/** `tenant export`. */
export const tenantExport: ApiCommand = {
  name: 'export',
  about: 'Copy what the services store about a tenant into a folder; without the archive',
  route: 'GET /admin/v1/tenants/{tenant}/export',
  parameters: [
    argument('<tenant>', 'id of the tenant, tnt_…'),
    required('--to <folder>', 'new folder, or that of an export to go on with'),
  ],
  help: HELP,
  async fetch(client, { path, values }, io) {
    process.umask(0o077);
    const tenantId = String(values['tenant']);
    const result = await exportTenant({
      client,
      path,
      tenantId,
      folder: resolve(String(values['to'])),
      version,
      now: () => new Date().toISOString(),
      say: (line) => io.err(`  ${line}\n`),
    });
    return { tenant_id: tenantId, ...result };
  },
  show({ tenant_id, folder, records, contents, missing, bytes }) {
    const gone = missing === 0 ? '' : ` ${missing} contents are gone already.`;
    return `Exported ${tenant_id} to ${folder}: ${records} records, ${contents} new contents, ${bytes} bytes.${gone}\n`;
  },
};
