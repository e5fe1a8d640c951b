import { expect, test } from '@jest/globals';
import { candidateOf, detailWith, forecastWith } from '../testing/parcels.ts';
import { Work } from '../testing/work.ts';
import { emptyBench } from './flow.ts';
import { dispatchUnchecked, notFoundOffline, printUnchecked, unclaimedFailure } from './offline.ts';

/** A scan that neither the platform nor this device knows. */
const scanned = (scan: string): Work => new Work().do(scan, { type: 'looked-up', scan, candidates: [], hasMore: false, offline: true });

test('a scan that this device does not know is weighed under its number', () => {
  expect(notFoundOffline(emptyBench, 'SF999999').bench.flow).toEqual({ at: 'unknown', scan: 'SF999999', offline: true });
  expect(scanned('SF999999').do('', '1.5', '3x2x1', '').reports()).toMatchObject([
    { type: 'arrival', express_no: 'SF999999' },
    { type: 'weighing', express_no: 'SF999999' },
  ]);
});

test('the code of a product is refused', () => {
  const work = scanned('4006381333931');
  expect([work.at, work.bench.notice]).toMatchObject(['scan', { key: 'productOffline', value: '4006381333931' }]);
});

test('a parcel that was scanned offline cannot be counted: its items are not known', () => {
  const candidate = candidateOf(forecastWith());
  const work = new Work().do('SF123456', { type: 'looked-up', scan: 'SF123456', candidates: [candidate], hasMore: false, offline: true });
  expect(work.do({ type: 'opened', scan: 'SF123456', candidate }, 'N').said).toBe('cannotCount');
});

test('a document is printed and a dispatch is reported without a check, which is shown', () => {
  expect(printUnchecked(emptyBench).notice?.key).toBe('documentUnchecked');
  const candidate = candidateOf(forecastWith({ status: 2 }));
  const opened = () => new Work(() => 'offline').open('SF123456', candidate, detailWith({ status: 2 }));
  const printed = opened().do('L');
  expect([printed.printed().length, printed.said]).toEqual([1, 'documentUnchecked']);
  const dispatched = opened().do('D', 'yunexpress', 'YT1234567890');
  expect([dispatched.reports(), dispatched.said]).toMatchObject([[{ type: 'dispatch' }], 'dispatchUnchecked']);
});

test('a dispatch that a full device did not report is not said to be reported', () => {
  const full = { bench: { ...emptyBench, notice: { tone: 'bad', key: 'queueFull' } }, effects: [] } as const;
  expect(dispatchUnchecked(full)).toBe(full);
});

test('unclaimed parcels wait for the platform', () => {
  const failure = { of: 'failure', code: 'timeout', message: '', data: null, offline: true } as const;
  expect(unclaimedFailure(failure)).toEqual({ tone: 'bad', key: 'unclaimedOffline' });
  const refused = { ...failure, code: '42201', message: 'invalid', offline: false };
  expect(unclaimedFailure(refused)).toEqual({ tone: 'bad', key: 'unclaimedFailed', value: '42201 invalid' });
});
