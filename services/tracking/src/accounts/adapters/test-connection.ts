import type { ConnectionTestResult } from '@parcelway/contracts/carrier-connection-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { refusalIn, type SourceRefusal } from '../../sources/source-refusal.ts';
import { NotNow } from '../../watch/domain/sources.ts';
import type { Connections } from '../connections.ts';
import { shownId } from '../domain/connection.ts';
import type { openConnections } from './open-connections.ts';

/** What a test of a connection shows. */
interface TestOutcome {
  readonly result: ConnectionTestResult;
  readonly message: string;
}

const IN_A_MINUTE = 'Test again in a minute';

/** Seconds to wait, at least one. */
const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** What came of a call that shows nothing of the credentials, and what to do. What failed in the network is in the log, for the operator alone. */
function failureOf(refusal: SourceRefusal | undefined, isOperators: boolean): string {
  const advice = isOperators ? `${IN_A_MINUTE}; the log of the tracking service has the details` : IN_A_MINUTE;
  if (refusal?.status !== undefined) return `The source responds with the status ${refusal.status}. ${advice}`;
  if (refusal?.reason === 'wrong response') return `The response of the source is not the documented one. ${advice}`;
  return `The source fails, or does not respond in time. ${advice}`;
}

/**
 * What the error of a test means for the owner of the connection, a tenant or the operator. The message has neither a body of the vendor's nor a credential.
 * @param now epoch milliseconds
 * @returns undefined for an error that is none of the vendor's, such as a store that is out
 */
function testOutcome(error: unknown, tenantId: string | null, now: number): TestOutcome | undefined {
  const refusal = refusalIn(error);
  const isFailure = error instanceof AppError && error.code === '50001';
  if (refusal === undefined && !isFailure) return undefined;
  const unavailable = (message: string): TestOutcome => ({ result: 'unavailable', message });
  if (refusal?.cause instanceof NotNow) {
    return unavailable(`The limits of the source allow no call at the moment. Test again in ${seconds(refusal.cause.until - now)} seconds`);
  }
  const status = refusal?.status === undefined ? '' : ` (status ${refusal.status})`;
  switch (refusal?.reason) {
    case 'access denied':
      return {
        result: 'access_denied',
        message: `The source refuses the credentials${status}. Check them and their rights at the source, replace them here, and test again`,
      };
    case 'throttled':
      return unavailable(`The source takes no more calls of this account at the moment${status}. ${IN_A_MINUTE}`);
    case 'quota used up':
      return unavailable(
        `The calls that this account has with the source are used up${status}. Buy more, or test again when the source grants new ones`,
      );
    default:
      return unavailable(failureOf(refusal, tenantId === null));
  }
}

const WORKS: TestOutcome = { result: 'works', message: 'The source accepts the credentials. There is nothing to do' };

const UNREADABLE: TestOutcome = {
  result: 'access_denied',
  message: 'The stored credentials cannot be read any more, because a secret of the platform has changed. Send all of them again',
};

/**
 * Tests a connection of an owner by one call that shows whether the vendor accepts the credentials; a refusal is an outcome.
 * @param tenantId null for the operator
 * @throws AppError 40403 when the owner has no such connection, 50301 when the store is out
 */
export type TestConnection = (tenantId: string | null, connectionId: string) => Promise<TestOutcome>;

/** Makes the test of connections. Each test counts as one call in the limits of its connection; one that fails is logged. */
export function createConnectionTester(
  connections: Pick<Connections, 'get'>,
  sources: Pick<ReturnType<typeof openConnections>, 'of'>,
  clock: Pick<Clock, 'now'>,
  logger: Logger,
): TestConnection {
  return async (tenantId, connectionId) => {
    const { connection } = await connections.get(tenantId, connectionId);
    // Every source has a credential.
    if (Object.keys(connection.credentials).length === 0) return UNREADABLE;
    try {
      await sources.of(connection).test();
      return WORKS;
    } catch (error) {
      const outcome = testOutcome(error, connection.tenantId, clock.now());
      if (outcome === undefined) throw error;
      const fields = { connection_id: shownId(connectionId), source: connection.source, result: outcome.result };
      // Our own limits allowed no call: nothing has failed.
      if (!(refusalIn(error)?.cause instanceof NotNow)) logger.warn({ ...fields, err: error }, 'A test of a connection failed');
      return outcome;
    }
  };
}
