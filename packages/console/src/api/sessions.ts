import type { ConsoleSession } from '@parcelway/contracts/console-api';
import type { Client } from '@parcelway/page/api/client';

/** Begins a session of the console with the key of the client. @throws ApiFailure when the key opens nothing here */
export const createConsoleSession = (client: Client): Promise<ConsoleSession> =>
  client.call<ConsoleSession>('open/v1/console/sessions', { method: 'POST' });
