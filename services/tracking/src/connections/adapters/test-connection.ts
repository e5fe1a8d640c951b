import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { NotNow } from '../../domain/not-now.ts';
import type { OpenSources } from '../../sources/ask-sources.ts';
import { refusalIn } from '../../sources/source-refusal.ts';
import { shownId } from '../domain/connection.ts';
import type { TestConnection, TestOutcome } from '../ports.ts';
import { testOutcome } from './test-outcome.ts';

const WORKS: TestOutcome = { result: 'works', message: 'The source accepts the credentials. There is nothing to do' };

/** Makes the test of connections. Each test counts as one call in the limits of its connection; one that fails is logged. */
export function createConnectionTester(sources: Pick<OpenSources, 'of'>, clock: Pick<Clock, 'now'>, logger: Logger): TestConnection {
  return async (connection) => {
    try {
      await sources.of(connection).test();
      return WORKS;
    } catch (error) {
      const outcome = testOutcome(error, connection, clock.now());
      if (outcome === undefined) throw error;
      const { connectionId, source } = connection;
      const fields = { connection_id: shownId(connectionId), source, result: outcome.result };
      // Our own limits allowed no call: nothing has failed.
      if (!(refusalIn(error)?.cause instanceof NotNow)) logger.warn({ ...fields, err: error }, 'A test of a connection failed');
      return outcome;
    }
  };
}
