import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { factOf, fresh, reportAt, reported } from '../testing/fact-histories.ts';
import { advance } from './advance.ts';
import { dispatchesOf } from './dispatches.ts';
import type { Notice } from './fact.ts';
import type { Step } from './status-transitions.ts';

describe('any order of events', () => {
  test('announces every report but a dispatch once, with the status after it, and the completion once', () => {
    const kinds: Partial<Record<Step, Notice['kind']>> = {
      'warehouse.arrived': 'arrived',
      'warehouse.weighed': 'weighed',
      'warehouse.photographed': 'photographed',
      'warehouse.processed': 'processed',
      'warehouse.put-away': 'put_away',
      'warehouse.exception': 'exception',
      'warehouse.held': 'held',
      'warehouse.released': 'released',
    };
    fc.assert(
      fc.property(reported, ([forecastType, list]) => {
        let state = fresh(forecastType);
        const completed: Notice[] = [];
        for (const { step, at } of list) {
          const next = advance(state, factOf(step, at), 0);
          state = { ...state, ...next };
          const kind = kinds[step];
          expect(next.notices.filter(({ kind }) => kind !== 'completed' && kind !== 'dispatched')).toMatchObject(
            kind === undefined ? [] : [{ kind, status: next.status, ...(kind !== 'weighed' && { report: reportAt(at) }) }],
          );
          completed.push(...next.notices.filter(({ kind }) => kind === 'completed'));
        }
        const reason = forecastType === 1 ? 'put_away' : 'tracking_ended';
        expect(completed).toEqual(state.status === 6 ? [{ kind: 'completed', status: 6, reason }] : []);
      }),
    );
  });

  test('announces every measurement once, and the current shipment last', () => {
    fc.assert(
      fc.property(reported, ([forecastType, list]) => {
        let state = fresh(forecastType);
        const notices = list.flatMap(({ step, at }) => {
          const next = advance(state, factOf(step, at), 0);
          state = { ...state, ...next };
          return next.notices;
        });
        const weighed = list.filter(({ step }) => step === 'warehouse.weighed');
        expect(notices.filter(({ kind }) => kind === 'weighed')).toHaveLength(weighed.length);
        const shipments = notices.flatMap((notice) => (notice.kind === 'dispatched' ? [notice.dispatch.trackingNumber] : []));
        expect([...shipments].sort()).toEqual(
          dispatchesOf(state.progress)
            .map(({ trackingNumber }) => trackingNumber)
            .sort(),
        );
        expect(new Set(shipments).size).toBe(shipments.length);
      }),
    );
  });
});
