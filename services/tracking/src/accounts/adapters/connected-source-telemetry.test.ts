import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { type RecordingTelemetry, recordingTelemetry } from '@parcelway/telemetry/testing/recording-telemetry';
import { sourceEasyPost } from '../../sources/easypost/source.ts';
import type { QueryResult, TrackingSource } from '../../sources/source.ts';
import { NOW, shipmentOf } from '../../testing/samples.ts';
import { type CallLedger, EMPTY_LEDGER } from '../domain/call-ledger.ts';
import type { Connection } from '../domain/connection.ts';
import type { AskOptions, CallLedgers } from '../ports.ts';
import { type ConnectedSource, connectSource } from './connected-source.ts';

const connection: Connection = {
  connectionId: 'main',
  tenantId: null,
  source: 'easypost',
  baseUrl: null,
  carriers: ['*'],
  limits: null,
  credentials: {},
};
const labels = { connection: 'main', owner: 'operator' };
const DAY_MS = 86_400_000;

let telemetry: RecordingTelemetry;
let clock: ManualClock;
let ledger: CallLedger;
let query: () => Promise<readonly QueryResult[]>;
let opened: ConnectedSource;

/** One ledger in memory. */
const ledgers: CallLedgers = {
  async take(_connectionId, decide) {
    const decision = decide(ledger);
    ledger = decision.ledger;
    return decision.verdict;
  },
  async change(_connectionId, change) {
    ledger = change(ledger);
  },
  read: async () => ledger,
};

/** A source that registers nothing and whose responses the test decides. */
const source: TrackingSource = {
  ...sourceEasyPost,
  limits: { ...sourceEasyPost.limits, requestsPerSecond: null, callsPerDay: 2 },
  registersFor: null,
  translate(raw) {
    if (raw !== 'trace') throw new Error('nothing of this source');
    return { nodes: [], undated: [], unknownCodes: [], leftOut: [] };
  },
  connect: () => ({
    register: async () => [],
    unregister: async () => undefined,
    query: () => query(),
    test: async () => undefined,
  }),
};

beforeEach(() => {
  telemetry = recordingTelemetry();
  clock = new ManualClock(NOW);
  ledger = EMPTY_LEDGER;
  query = async () => [{ kind: 'trace', raw: 'trace' }];
  opened = connectSource(source, connection, {
    ledgers,
    detailsOf: () => ({}),
    timeoutMs: 5000,
    clock,
    logger: silentLogger,
    telemetry: telemetry.of('tracking'),
  });
});
afterEach(() => opened.close());

const ask = (purpose: AskOptions['purpose'], askedAt = 0) =>
  opened.ask(shipmentOf({ askedAt, reportedAt: askedAt }), {
    purpose,
    note: async () => true,
    noteRefused: async () => undefined,
    keep: async () => undefined,
  });
const calls = () =>
  telemetry.recorded('parcelway_source_calls_total').flatMap(([{ kind, outcome }, value]) => (value > 0 ? [[kind, outcome]] : []));

describe('a connection', () => {
  test('counts its calls and their numbers', async () => {
    await ask('query');
    await opened.test();
    expect(calls()).toEqual([
      ['query', 'ok'],
      ['other', 'ok'],
    ]);
    expect(telemetry.recorded('parcelway_source_numbers_total')).toEqual([[{ ...labels, kind: 'query' }, 1]]);
  });

  test('counts a response that cannot be read as a row that was left out', async () => {
    query = async () => [{ kind: 'trace', raw: 'nonsense' }];
    await expect(ask('query')).rejects.toMatchObject({ code: '50001' });
    expect(telemetry.recorded('parcelway_source_left_out_rows_total')).toEqual([[{ ...labels, reason: 'unreadable' }, 1]]);
  });
});

describe('a push is expected to bring news', () => {
  const isPushExpected = async (purpose: AskOptions['purpose'], askedAt: number) => {
    const report = await ask(purpose, askedAt);
    return report.kind === 'trace' && report.isPushExpected;
  };

  test('where the source has pushed, for a parcel that was reported before', async () => {
    await opened.notePush();
    clock.advance(3 * DAY_MS);
    expect(await isPushExpected('poll', NOW)).toBe(true);
  });

  test('not at a query, not for the first response, and not where the source has never pushed', async () => {
    expect(await isPushExpected('poll', NOW - DAY_MS)).toBe(false);
    await opened.notePush();
    clock.advance(3 * DAY_MS);
    expect(await isPushExpected('poll', 0)).toBe(false);
    expect(await isPushExpected('query', NOW)).toBe(false);
  });
});
