import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { NotNow } from '../../domain/not-now.ts';
import type { OpenSources } from '../../sources/ask-sources.ts';
import { SourceRefusal } from '../../sources/source-refusal.ts';
import type { TestConnection, TestOutcome } from '../ports.ts';

const WORKS: TestOutcome = { result: 'works', message: 'The source accepts the credentials. There is nothing to do' };
const DENIED: TestOutcome = {
  result: 'access_denied',
  message: 'The source refuses the credentials. Check them and their rights at the source, replace them here, and test again',
};
const unavailable = (message: string): TestOutcome => ({ result: 'unavailable', message });

/** Seconds to wait, at least one. */
const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

function outcomeOf(error: unknown, now: number): TestOutcome | undefined {
  if (error instanceof SourceRefusal) {
    if (error.cause instanceof NotNow) {
      return unavailable(`The limits of the source allow no call at the moment. Test again in ${seconds(error.cause.until - now)} seconds`);
    }
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
  return undefined;
}

/** Makes the test of connections. Each test counts as one call in the limits of its connection. */
export function createConnectionTester(sources: Pick<OpenSources, 'of'>, clock: Pick<Clock, 'now'>): TestConnection {
  return async (connection) => {
    try {
      await sources.of(connection).test();
      return WORKS;
    } catch (error) {
      const outcome = outcomeOf(error, clock.now());
      if (outcome === undefined) throw error;
      return outcome;
    }
  };
}
