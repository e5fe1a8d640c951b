import { expect, test } from '@jest/globals';
import type { ReceivedWebhook } from '@parcelway/harness/webhook-receiver';
import { countEffects, type Evidence } from './count-effects.ts';
import type { LedgerEntry } from './ledger.ts';

const entry: LedgerEntry = {
  poNumber: 'PO-1',
  weightKg: 0.001,
  eventId: 'we-1',
  strayNumber: 'STRAY-1',
  dismissedEventId: 'LOST-1',
  forecastNo: 'F1',
  correctionsSent: 2,
  correctionsAcknowledged: 1,
  weighingAcknowledged: true,
  dismissalAcknowledged: true,
};
const ledger = { entries: new Map([[entry.poNumber, entry]]) };
const webhook = (id: string): ReceivedWebhook => ({ id, body: { data: { po_number: 'PO-1' } } }) as unknown as ReceivedWebhook;

const complete: Evidence = {
  forecasts: new Map([['PO-1', { version: 2, weightsKg: [0.001] }]]),
  listed: ['PO-1'],
  resolutions: [
    { id: 'we-1', action: 'claim' },
    { id: 'LOST-1', action: 'dismiss' },
  ],
  isAuditComplete: true,
  receivers: [{ received: [webhook('a'), webhook('a')] }, { received: [webhook('a')] }],
  correctionReceiver: { received: [webhook('b')] },
};
// Forecast, correction, weighing, claim, dismissal, a webhook at each of two endpoints, and one of the correction.
const DUE = 8;

test('counts an effect for each acknowledgement and each endpoint; a repeat under the same id is no effect', () => {
  expect(countEffects(ledger, complete)).toEqual({ submitted: DUE, seen: DUE, lost: 0, doubled: 0 });
});

test('a correction that was sent and not acknowledged may have had its effect', () => {
  const evidence = { ...complete, forecasts: new Map([['PO-1', { version: 3, weightsKg: [0.001] }]]) };
  expect(countEffects(ledger, evidence)).toEqual({ submitted: DUE, seen: DUE, lost: 0, doubled: 0 });
});

test.each<[string, Partial<Evidence>, number]>([
  ['a forecast, with its correction and its weighing', { forecasts: new Map(), listed: [] }, 3],
  ['a weighing', { forecasts: new Map([['PO-1', { version: 2, weightsKg: [] }]]) }, 1],
  ['a claim and a dismissal', { resolutions: [] }, 2],
  ['a webhook at one endpoint', { receivers: [{ received: [] }, { received: [webhook('a')] }] }, 1],
  ['the webhook of a correction', { correctionReceiver: { received: [] } }, 1],
])('%s: lost', (_what, part, lost) => {
  expect(countEffects(ledger, { ...complete, ...part })).toEqual({ submitted: DUE, seen: DUE - lost, lost, doubled: 0 });
});

test.each<[string, Partial<Evidence>]>([
  ['a forecast', { listed: ['PO-1', 'PO-1'] }],
  ['a correction', { forecasts: new Map([['PO-1', { version: 4, weightsKg: [0.001] }]]) }],
  ['a weighing', { forecasts: new Map([['PO-1', { version: 2, weightsKg: [0.001, 0.001] }]]) }],
  ['a claim', { resolutions: [...complete.resolutions, { id: 'we-1', action: 'claim' }] }],
  ['a webhook under another id', { receivers: [{ received: [webhook('a'), webhook('c')] }, { received: [webhook('a')] }] }],
])('%s: doubled', (_what, part) => {
  expect(countEffects(ledger, { ...complete, ...part })).toEqual({ submitted: DUE, seen: DUE, lost: 0, doubled: 1 });
});

test('an audit that was not read to its end shows nothing as lost', () => {
  expect(countEffects(ledger, { ...complete, resolutions: [], isAuditComplete: false }).lost).toBe(0);
});
