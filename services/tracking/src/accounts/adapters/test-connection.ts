import type { ConnectionTestResult } from '@parcelway/contracts/carrier-connection-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { refusalIn, type SourceRefusal } from '../../sources/source-refusal.ts';
import { NotNow } from '../../watch/domain/sources.ts';
import type { Connections } from '../connections.ts';
import { type Connection, shownId } from '../domain/connection.ts';
import { outcomeOfCall } from './circuit.ts';
import type { openConnections } from './open-connections.ts';

/** Codes and names of errors of Node and undici, and what they mean. */
const causes: readonly (readonly [code: RegExp, words: string])[] = [
  [/^(ENOTFOUND|EAI_[A-Z]+|ENODATA)$/, 'the host name does not resolve'],
  [/^ECONNREFUSED$/, 'the connection was refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL)$/, 'no route leads to the host'],
  [/^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|UND_ERR_ABORTED|TimeoutError|AbortError)$/, 'the call timed out'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/, 'the connection was closed before the response'],
  [/^HPE_[A-Z_]+$/, 'what came back is no HTTP'],
  [/^(EPROTO|ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA)/, 'TLS failed'],
  [/^EOPENBREAKER$/, 'the calls before this one failed, so that none is made for a moment'],
];
const MAX_DEPTH = 6;

/**
 * Why a call got no response, in words that show nothing of it: neither an address nor a text of the vendor's.
 * @param error the refusal, or what has it as a cause
 * @returns a clause, such as `the host name does not resolve`; undefined when it is none of the known causes
 */
export function failureCause(error: unknown): string | undefined {
  let at: unknown = error;
  for (let depth = 0; depth < MAX_DEPTH && typeof at === 'object' && at !== null; depth += 1) {
    const { code, name, cause } = at as Partial<NodeJS.ErrnoException>;
    for (const id of [String(code), String(name)]) {
      const words = causes.find(([pattern]) => pattern.test(id))?.[1];
      if (words !== undefined) return words === 'TLS failed' ? `${words} (${id})` : words;
    }
    at = cause;
  }
  return undefined;
}

/** What of a connection decides what its owner reads. */
type TestedConnection = Pick<Connection, 'tenantId' | 'source' | 'baseUrl'>;

/** What a test of a connection shows. */
interface TestOutcome {
  readonly result: ConnectionTestResult;
  readonly message: string;
}

const IN_A_MINUTE = 'Test again in a minute';

/** Seconds to wait, at least one. */
const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

/** The setting of an operator that says where the source is; undefined for the vendor's own address. */
function addressSetting({ source, baseUrl }: TestedConnection): string | undefined {
  if (source === 'generic') return 'credentials.url';
  return baseUrl === null ? undefined : 'base_url';
}

/** What came of a call that shows nothing of the credentials. The network is for the operator's eyes alone. */
function failureOf(error: unknown, refusal: SourceRefusal | undefined, isOperators: boolean): string {
  if (refusal?.status !== undefined) return `The source responds with the status ${refusal.status}`;
  if (refusal?.reason === 'wrong response') return 'The response of the source is not the documented one';
  const cause = isOperators ? failureCause(error) : undefined;
  return cause === undefined ? 'The source fails, or does not respond in time' : `The source cannot be called: ${cause}`;
}

function adviceOf(error: unknown, refusal: SourceRefusal | undefined, connection: TestedConnection): string {
  const isLasting = refusal?.reason === 'wrong response';
  if (connection.tenantId !== null) return isLasting ? 'Test again later; if it stays so, ask the operator' : IN_A_MINUTE;
  const setting = addressSetting(connection);
  if (setting !== undefined) {
    const isOut = (refusal?.status ?? 0) >= 500;
    return isOut ? `${IN_A_MINUTE}; if it stays so, check ${setting}` : `Check ${setting}, which may be wrong, and test again`;
  }
  if (isLasting) return 'Test again later. The log of the tracking service has the details';
  const isOfNetwork = refusal?.status === undefined && outcomeOfCall(error) !== 'rejected';
  return isOfNetwork ? 'Check the outgoing network of the tracking service, and test again in a minute' : IN_A_MINUTE;
}

/**
 * What the error of a test means for the owner of the connection. The message has neither a body of the vendor's nor a credential.
 * @param now epoch milliseconds
 * @returns undefined for an error that is none of the vendor's, such as a store that is out
 */
function testOutcome(error: unknown, connection: TestedConnection, now: number): TestOutcome | undefined {
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
      return unavailable(`${failureOf(error, refusal, connection.tenantId === null)}. ${adviceOf(error, refusal, connection)}`);
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
      const outcome = testOutcome(error, connection, clock.now());
      if (outcome === undefined) throw error;
      const fields = { connection_id: shownId(connectionId), source: connection.source, result: outcome.result };
      // Our own limits allowed no call: nothing has failed.
      if (!(refusalIn(error)?.cause instanceof NotNow)) logger.warn({ ...fields, err: error }, 'A test of a connection failed');
      return outcome;
    }
  };
}
