import { expect, test } from '@jest/globals';
import type { RawMessage } from '@parcelway/bus/bus';
import type { LogRecord } from '@parcelway/bus/driver';
import type { IntakeEvent } from '../expected/domain/event.ts';
import type { ReportTrace } from '../reports/domain/trace.ts';
import { setUp } from '../testing/report-set-up.ts';
import { report, traceOf } from '../testing/samples.ts';
import { takeMessages } from './events.ts';

/** Takes messages over a store that notes the traces it is given. `refuses`: it refuses the first event of each call. */
function intake({ refuses = false } = {}) {
  const calls: (string | undefined)[][] = [];
  const recorder = {
    record: async (events: readonly IntakeEvent[], trace?: ReportTrace) => {
      calls.push(events.map((event) => trace?.(event)));
      const refused = refuses ? events.slice(0, 1) : [];
      return { published: 0, accepted: events.length, duplicates: 0, conflicts: [], refused, waiting: [] };
    },
  };
  const options = { ...setUp().options, recorder };
  return { calls, take: (...messages: readonly RawMessage[]) => takeMessages(options, messages) };
}

const message = (reports: readonly unknown[] | null, trace?: number): RawMessage => ({
  record: { value: reports && Buffer.from(JSON.stringify({ events: reports })) } as Partial<LogRecord> as LogRecord,
  traceparent: trace === undefined ? undefined : traceOf(trace),
});

test('each message passes its trace on to the store, alone or together with others', async () => {
  const { take, calls } = intake();
  await take(message([report()], 3));
  await take(message([report(), report()], 4), message([report()]));
  expect(calls).toEqual([[traceOf(3)], [traceOf(4), traceOf(4), undefined]]);
});

test('messages are stored together only as long as none has a report that is rejected', async () => {
  const { take, calls } = intake();
  const good = message([report()]);
  await expect(take(good, message([report({ type: 'unknown' })]))).rejects.toMatchObject({ code: '42201' });
  await expect(take(good, message(null))).rejects.toMatchObject({ code: '40001' });
  expect(calls).toEqual([]);
  await expect(intake({ refuses: true }).take(good, message([report()]))).rejects.toMatchObject({ code: '42201' });
});

test('no call of the store has more reports than a call of a warehouse', async () => {
  const { take, calls } = intake();
  await take(...[1, 2, 3].map(() => message(Array.from({ length: 200 }, () => report()))));
  expect(calls.map(({ length }) => length)).toEqual([400, 200]);
});
