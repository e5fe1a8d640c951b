import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { NotNow } from '../../domain/not-now.ts';
import type { OpenSources } from '../../sources/ask-sources.ts';
import { SourceRefusal } from '../../sources/source-refusal.ts';
import { takeCall } from '../domain/call-ledger.ts';
import type { CallLedgers, TestConnection, TestOutcome } from '../ports.ts';

/** A test waits for its turn at most so long. */
const MAX_WAIT_MS = 2000;
/** Tests are no way to call a vendor as often as one likes. */
const TESTS_PER_SECOND = 1;

const WORKS: TestOutcome = { result: 'works', message: 'The source accepts the credentials. There is nothing to do' };
const DENIED: TestOutcome = {
  result: 'access_denied',
  message: 'The source refuses the credentials. Check them and their rights at the source, replace them here, and test again',
};
const unavailable = (message: string): TestOutcome => ({ result: 'unavailable', message });

/** Seconds to wait, at least one. */
const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

function outcomeOf(error: unknown): TestOutcome | undefined {
  if (error instanceof SourceRefusal) {
    switch (error.reason) {
      case 'access denied':
        return DENIED;
      case 'throttled':
        return unavailable('The source takes no more calls of this account at the moment. Test again in a minute');
      case 'quota used up':
        return unavailable(
          'The calls that this account has with the source are used up. Buy more, or test again when the source grants new ones',
        );
      case 'wrong response':
        return unavailable('The response of the source is not the documented one. Test again later; if it stays so, ask the operator');
      case 'unavailable':
        return unavailable('The source fails, or does not respond in time. Test again in a minute');
    }
  }
  if (error instanceof AppError && error.code === '50001') {
    return unavailable('The source fails, or does not respond in time. Test again in a minute');
  }
  return error instanceof NotNow ? unavailable('The source takes no call at the moment. Test again in a minute') : undefined;
}

/** Makes the test of connections. Each test counts as one call in the limits of its connection. */
export function createConnectionTester(sources: Pick<OpenSources, 'of'>, ledgers: CallLedgers, clock: Clock): TestConnection {
  return async (connection) => {
    const connected = sources.of(connection);
    const { limits } = connected.source;
    const requestsPerSecond = Math.min(limits.requestsPerSecond ?? TESTS_PER_SECOND, TESTS_PER_SECOND);
    const verdict = await ledgers.take(connection.connectionId, (ledger) =>
      takeCall(ledger, { ...limits, requestsPerSecond }, { now: clock.now(), purpose: 'query', maxWaitMs: MAX_WAIT_MS }),
    );
    const now = clock.now();
    if (!verdict.isGranted) {
      return unavailable(`The limits of the source allow no call at the moment. Test again in ${seconds(verdict.until - now)} seconds`);
    }
    if (verdict.at > now) await sleep(verdict.at - now);
    try {
      await connected.test();
      return WORKS;
    } catch (error) {
      const outcome = outcomeOf(error);
      if (outcome === undefined) throw error;
      return outcome;
    }
  };
}
