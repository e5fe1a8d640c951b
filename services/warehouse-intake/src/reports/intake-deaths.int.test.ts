import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { accept, dispatch, record, type Step, scan, wentTo, whereabouts } from '../testing/intake-steps.ts';
import { diesAfter, inSqlite, useMongoIntake } from '../testing/mongo-intake.ts';
import { intakeEvent, NOW, traceOf } from '../testing/samples.ts';

const clock = new ManualClock(NOW);
const intake = useMongoIntake(clock);

/** Has a process take a step and die after so many operations. */
const dies = (step: Step, operations: number): Promise<boolean> =>
  diesAfter(intake.database, operations, (database) => step(intake.open(database)));

describe('a process that dies', () => {
  test('leaves the beginning of a call, and the rest, sent again, is matched behind that', async () => {
    const before = [accept('FC1', 'N1'), record(scan('N1')), accept('FC2', 'N1')];
    const [leaving, next] = [scan('N1', dispatch), scan('N1')];
    const expected = await inSqlite([...before, record(leaving, next)]);
    for (let operations = 0, died = true; died; operations += 1) {
      const store = await intake.after(before);
      died = await dies(record(leaving), operations);
      await record(leaving, next)(store);
      const is = await intake.where(store);
      expect({ operations, is }).toEqual({ operations, is: expected });
    }
  });

  test('right after it stored a waiting event leaves that to the sweep, should the report never come again', async () => {
    const store = await intake.after([]);
    const event = scan('N1');
    for (let operations = 0; (await store.unclaimed(1)).length === 0; operations += 1) {
      expect(await dies((dying) => dying.record([event], () => traceOf(1)), operations)).toBe(true);
    }
    // A forecast that is there, of whose acceptance nothing more is heard.
    expect(await dies(accept('FC1', 'N1'), 0)).toBe(true);
    expect(await store.resume(NOW, 100)).toEqual({ resumed: 0, published: 0 });
    expect(await store.resume(NOW + 1, 100)).toEqual({ resumed: 1, published: 1 });
    const published = intake.published();
    expect(await whereabouts(store, published)).toEqual([wentTo(event.eventId, 'FC1')]);
    // The report and its trace are long over.
    expect((await published()).map(decodeEvent)).toEqual([expect.not.objectContaining({ traceparent: expect.anything() })]);
  });
});

describe('a server that fails', () => {
  const unconfirmed = { writeConcernError: { code: 64, codeName: 'WriteConcernFailed', errmsg: 'waiting for replication timed out' } };

  /** Has the server fail commands of one client. */
  async function failing(command: string, failure: object, times: number): Promise<MongoDatabase> {
    const appName = `failing-${randomBytes(6).toString('hex')}`;
    const url = process.env['MONGODB_URL'] as string;
    const database = new MongoDatabase({
      url: `${url}${url.includes('?') ? '&' : '/?'}appName=${appName}`,
      name: intake.database.connection.name,
      logger: silentLogger,
    });
    await database.connect();
    const data = { appName, failCommands: [command], ...failure };
    await intake.other.connection.db?.admin().command({ configureFailPoint: 'failCommand', mode: { times }, data });
    return database;
  }

  test.each([
    ['does not confirm an insert', 'insert', unconfirmed, 1],
    ['does not confirm an update', 'update', unconfirmed, 1],
    ['closes the connection at an insert and at its repetition', 'insert', { closeConnection: true }, 2],
    ['closes the connection at an update and at its repetition', 'update', { closeConnection: true }, 2],
  ])('and %s makes the call one that can be repeated', async (_name, command, failure, times) => {
    const before = [accept('FC1', 'N1'), accept('FC2', 'N2'), record(scan('N2'))];
    const cut = record(scan('N1'), scan('N3'), intakeEvent({ forecastNo: 'FC2', expressNo: 'N2', detail: dispatch }));
    const store = await intake.after(before);

    const database = await failing(command, failure, times);
    // Writes together that a closed connection has taken back are made again at once.
    const [outcome] = await Promise.allSettled([cut(intake.open(database))]);
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: '50301' });
    await database.close();

    await cut(store);
    expect(await intake.where(store)).toEqual(await inSqlite([...before, cut]));
    expect(await store.resume(NOW + 1, 100)).toEqual({ resumed: 0, published: 0 });
  });
});
