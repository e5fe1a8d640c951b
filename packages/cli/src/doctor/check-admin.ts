import type { Check } from '@parcelway/platform/doctor/check';
import { createAdminClient } from '../admin-client.ts';
import { CliError } from '../cli-error.ts';
import { type AdminAccess, type Environ, findInstallation } from '../find-installation.ts';

/** Where the operator's API is: as every command finds it, else on this machine, as in the container of a gateway. */
function accessOf(env: Environ): AdminAccess {
  try {
    return findInstallation(env);
  } catch (error) {
    const { ADMIN_PORT: port, ADMIN_TOKEN: token } = env;
    if (port && port !== '0' && token) return { url: `http://127.0.0.1:${port}`, token };
    throw error;
  }
}

/** The gateway's operator's API: there, and lets us in; and what the gateway says of every service. */
export function checkAdmin(env: Environ, whenUnknown: 'warning' | 'wrong'): Check {
  return {
    name: 'admin API',
    deadlineMs: 35_000,
    async run(tell) {
      let access: AdminAccess;
      try {
        access = accessOf(env);
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        const next = error.hint ?? 'Set PARCEL_ADMIN_URL and PARCEL_ADMIN_TOKEN.';
        tell[whenUnknown]('admin API', `${whenUnknown === 'warning' ? 'not asked: ' : ''}${error.message}`, next);
        return;
      }
      const client = createAdminClient(access);
      try {
        await client.call('/admin/v1/warehouses');
        tell.ok('admin API', `responses at ${access.url} and takes the token`);
        const { code, message, data } = await client.ask('/admin/v1/status');
        const states = data?.['services'] === undefined ? '' : `: ${JSON.stringify(data['services'])}`;
        if (code === '0') tell.ok('platform', 'ready');
        else tell.wrong('platform', `not ready: ${message}${states}`, 'The log of the service that is not ready says what it waits for.');
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        tell.wrong('admin API', error.message, error.hint ?? 'See the log of the gateway.');
      }
    },
  };
}

/** The admin token, so that it can be taken out of what is shown; undefined when it is not known. */
export function tokenOf(env: Environ): string | undefined {
  try {
    return accessOf(env).token;
  } catch {
    // Said by the check itself.
    return undefined;
  }
}
