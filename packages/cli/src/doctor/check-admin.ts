import type { Check } from '@parcelway/platform/doctor/check';
import { createAdminClient } from '../admin-client.ts';
import { CliError } from '../cli-error.ts';
import { type AdminAccess, type Environ, findInstallation } from '../find-installation.ts';

/** Access to the admin API: as every command finds it, else on this machine, as in the container of a gateway. */
function accessOf(env: Environ): AdminAccess {
  try {
    return findInstallation(env);
  } catch (error) {
    const { ADMIN_PORT: port, ADMIN_TOKEN: token } = env;
    if (port && port !== '0' && token) return { url: `http://127.0.0.1:${port}`, token };
    throw error;
  }
}

/** Checks that the admin API responds and accepts the token, and the state of every service as the gateway reports it. */
export function checkAdmin(env: Environ, whenUnknown: 'warning' | 'wrong'): Check {
  return {
    name: 'admin API',
    deadlineMs: 35_000,
    async run(report) {
      let access: AdminAccess;
      try {
        access = accessOf(env);
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        const next = error.hint ?? 'Set PARCEL_ADMIN_URL and PARCEL_ADMIN_TOKEN.';
        report[whenUnknown]('admin API', `${whenUnknown === 'warning' ? 'not checked: ' : ''}${error.message}`, next);
        return;
      }
      const client = createAdminClient(access);
      try {
        await client.call('/admin/v1/warehouses');
        report.ok('admin API', `responds at ${access.url} and accepts the token`);
        const { code, message, data } = await client.ask('/admin/v1/status');
        const states = data?.['services'] === undefined ? '' : `: ${JSON.stringify(data['services'])}`;
        if (code === '0') report.ok('platform', 'ready');
        else report.wrong('platform', `not ready: ${message}${states}`, 'See the log of the service that is not ready.');
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        report.wrong('admin API', error.message, error.hint ?? 'See the log of the gateway.');
      }
    },
  };
}

/** The admin token, so that it can be redacted; undefined when it is not known. */
export function tokenOf(env: Environ): string | undefined {
  try {
    return accessOf(env).token;
  } catch {
    // The check itself reports this.
    return undefined;
  }
}
