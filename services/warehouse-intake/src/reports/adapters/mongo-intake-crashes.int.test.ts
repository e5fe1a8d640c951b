import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { silentLogger } from '@parcelway/kernel/logger';
import { MongoDatabase } from '@parcelway/mongo/mongo-database';
import {
  accept,
  cancel,
  claim,
  correct,
  dismiss,
  dispatch,
  record,
  type Step,
  scan,
  wentTo,
  whereabouts,
} from '../../testing/intake-steps.ts';
import { diesAfter } from '../../testing/mongo-faults.ts';
import { intakeEvent, NOW, traceOf } from '../../testing/samples.ts';
import { inSqlite, useMongoIntake } from '../../testing/use-mongo-intake.ts';

const intake = useMongoIntake();

/** Has a process take a step and die after so many operations. */
const dies = (step: Step, operations: number): Promise<boolean> =>
  diesAfter(intake.database, operations, (database) => step(intake.open(database)));

const [lost, lostToo, mistyped] = [scan('N9'), scan('N9', { type: 'processing' }), intakeEvent({ forecastNo: 'FC9', expressNo: 'N1' })];

describe('a process that dies', () => {
  const histories: Readonly<Record<string, { readonly before: Step[]; readonly cut: Step; readonly after: Step[] }>> = {
    'storing events of which some wait': {
      before: [accept('FC1', 'N1')],
      cut: record(scan('N1'), scan('N2'), intakeEvent({ forecastNo: 'FC2' })),
      after: [accept('FC2', 'N2')],
    },
    'storing a parcel that comes and leaves, under a number that a stranger declares too': {
      before: [accept('FC1', 'N1'), record(scan('N1')), accept('FC2', 'N1')],
      cut: record(scan('N1', { type: 'processing' }), scan('N1', dispatch), scan('N1')),
      after: [record(scan('N1'))],
    },
    'storing an ambiguous event, and behind it that the parcel of one of its forecasts has left': {
      before: [accept('FC1', 'N1', 'N2'), accept('FC2', 'N1')],
      cut: record(scan('N1'), scan('N2', dispatch)),
      after: [],
    },
    'storing the event that says whose parcel a number is on': {
      before: [accept('FC1', 'N1'), accept('FC2', 'N1'), record(scan('N1'), scan('N1'))],
      cut: record(scan('N1'), intakeEvent({ forecastNo: 'FC2', expressNo: 'N1' }), scan('N1')),
      after: [record(scan('N1'))],
    },
    'storing the event that says whose parcel a number was on, and that it has left': {
      before: [accept('FC1', 'N1'), accept('FC2', 'N1'), record(scan('N1'))],
      cut: record(intakeEvent({ forecastNo: 'FC1', expressNo: 'N1', detail: dispatch })),
      after: [record(scan('N1'))],
    },
    'adding a forecast that events wait for': {
      before: [
        record(scan('N1'), intakeEvent({ forecastNo: 'FC1', expressNo: 'N1' }), scan('N1', dispatch), scan('N1'), scan('N3')),
        record(intakeEvent({ forecastNo: 'FC1', warehouseCode: 'WH2' })),
        accept('FC2', 'N3'),
      ],
      cut: accept('FC1', 'N1', 'N3'),
      after: [accept('FC4', 'N1'), record(scan('N1'))],
    },
    'cancelling a forecast that made a number ambiguous': {
      before: [accept('FC1', 'N1', 'N2'), accept('FC2', 'N1'), record(scan('N1'), scan('N1'), scan('N2'))],
      cut: cancel('FC1'),
      after: [record(scan('N1'), scan('N2'))],
    },
    'claiming a parcel that nobody declares, and that has left': {
      before: [accept('FC1'), accept('FC2', 'N1'), record(lost, scan('N9', dispatch), lostToo, scan('N1'))],
      cut: claim(lostToo, 'FC1'),
      after: [accept('FC3', 'N9'), record(scan('N9'))],
    },
    'claiming a mistyped forecast number together with what is ambiguous': {
      before: [accept('FC1', 'N1'), accept('FC2', 'N1'), record(scan('N1'), mistyped)],
      cut: claim(mistyped, 'FC1'),
      after: [record(scan('N1'), intakeEvent({ forecastNo: 'FC9' }))],
    },
    'correcting a number that made another ambiguous, to one that events wait under': {
      before: [accept('FC1', 'N1', 'N2'), accept('FC2', 'N1'), record(scan('N1'), scan('N1'), scan('N3'), scan('N2'))],
      cut: correct('FC1', 2, { trackingNumbers: ['N3'] }),
      after: [record(scan('N1'), scan('N2'), scan('N3'))],
    },
    'correcting the warehouse of a forecast': {
      before: [accept('FC1', 'N1'), accept('FC2', 'N1'), record(scan('N1'), intakeEvent({ expressNo: 'N1', warehouseCode: 'WH2' }))],
      cut: correct('FC1', 2, { warehouseCode: 'WH2', trackingNumbers: ['N1'] }),
      after: [record(scan('N1'), intakeEvent({ forecastNo: 'FC1' }), intakeEvent({ expressNo: 'N1', warehouseCode: 'WH2' }))],
    },
    'following a correction whose acceptance was not seen': {
      before: [record(scan('N1'), intakeEvent({ forecastNo: 'FC1' }))],
      cut: correct('FC1', 2, { trackingNumbers: ['N1'] }),
      after: [accept('FC1', 'N2'), record(scan('N1'), scan('N2'))],
    },
    'dismissing a parcel': {
      before: [record(lost, lostToo, scan('N1'))],
      cut: dismiss(lostToo),
      after: [accept('FC1', 'N9')],
    },
  };

  test.each(Object.entries(histories))('%s leaves nothing half done, wherever it dies', async (_name, { before, cut, after }) => {
    const expected = await inSqlite([...before, cut, ...after]);
    for (const swept of [false, true]) {
      for (let operations = 0, died = true; died; operations += 1) {
        const store = await intake.after(before);
        died = await dies(cut, operations);
        if (swept) await store.resume(NOW + 1, 100);
        // The client sends the report again, the bus delivers the event again.
        await cut(store);
        for (const step of after) await step(store);
        const is = await intake.where(store);
        expect({ swept, operations, is }).toEqual({ swept, operations, is: expected });
        expect(await store.resume(NOW + 1, 100)).toEqual({ resumed: 0, published: 0 });
      }
    }
  });

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
    await expect(cut(intake.open(database))).rejects.toMatchObject({ code: '50301' });
    await database.close();

    await cut(store);
    expect(await intake.where(store)).toEqual(await inSqlite([...before, cut]));
    expect(await store.resume(NOW + 1, 100)).toEqual({ resumed: 0, published: 0 });
  });
});
