import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contentOf } from '../testing/samples.ts';
import { type Dispatch, initialProgress, type Progress } from './forecast.ts';
import type { HoldFact } from './holds.ts';
import { contentTerms, EXCEPTION_TERM, HOLD_TERM, numberTerm, skuTerm, termsChange, termsOf, warehouseTerm } from './search-terms.ts';

const item = (sku_code: string, tracking_number?: string) => ({
  sku_code,
  product_name_en: 'Lamp',
  forecast_quantity: 1,
  ...(tracking_number !== undefined && { tracking_number }),
});

const dispatch = (trackingNumber: string, dispatchedAtMs = 1): Dispatch => ({
  carrierCode: 'acme',
  trackingNumber,
  dispatchedAt: 'at',
  dispatchedAtMs,
});

const fresh = initialProgress(1000);
const dispatched = (...numbers: readonly string[]): Progress => {
  const all = numbers.map((number) => dispatch(number));
  return { ...fresh, dispatch: all.at(-1) ?? null, furtherDispatches: all.slice(0, -1) };
};

describe('the terms of a forecast', () => {
  test('are its warehouse, each SKU and each number, once', () => {
    const content = contentOf('F1', { items: [item('A', 'LP1'), item('B', 'LP1'), item('A')] });
    expect(contentTerms(content)).toEqual([warehouseTerm('WH1'), skuTerm('A'), numberTerm('LP1'), skuTerm('B')]);
  });

  test('distinguish an SKU from a number and from a warehouse', () => {
    expect(new Set([skuTerm('X'), numberTerm('X'), warehouseTerm('X')]).size).toBe(3);
  });

  test('have every number under which it was dispatched', () => {
    const content = contentOf('F1', { items: [item('A', 'LP1')] });
    expect(termsOf(content, dispatched('C1', 'LP1', 'C2'))).toEqual([...contentTerms(content), numberTerm('C1'), numberTerm('C2')]);
  });
});

describe('a change of the terms', () => {
  test('is none when nothing changes', () => {
    expect(termsChange(undefined, dispatched('C1'), dispatched('C1'))).toBeUndefined();
    expect(termsChange({ before: ['sA'], after: ['sA'] }, fresh, fresh)).toBeUndefined();
  });

  test('adds the number of a dispatch without a look at the content', () => {
    expect(termsChange(undefined, dispatched('C1'), dispatched('C1', 'C2'))).toEqual({ added: [numberTerm('C2')], removed: [] });
  });

  test('adds those of an exception and a hold, and removes that of a hold with its release', () => {
    const exception = { reason: 'damaged', text: null, photos: [], occurredAt: 'at', occurredAtMs: 1 } as const;
    const held: HoldFact = { kind: 'held', reason: null, at: 'at', atMs: 1 };
    const condition = { ...fresh, exceptions: [exception], holdFacts: [held] };
    expect(termsChange(undefined, fresh, condition)).toEqual({ added: [EXCEPTION_TERM, HOLD_TERM], removed: [] });
    const released = { ...condition, holdFacts: [{ ...held, kind: 'released', atMs: 2 } as const, held] };
    const content = { before: ['sA'], after: ['sA'] };
    expect(termsChange(content, condition, released)).toEqual({ added: [], removed: [HOLD_TERM], all: ['sA', EXCEPTION_TERM] });
  });

  test('replaces what a correction replaces, and keeps a number that a dispatch names too', () => {
    const corrected = { before: ['sA', numberTerm('C1')], after: ['sB'] };
    expect(termsChange(corrected, dispatched('C1'), dispatched('C1'))).toEqual({
      added: ['sB'],
      removed: ['sA'],
      all: ['sB', numberTerm('C1')],
    });
  });

  test('leads from the terms before to those after', () => {
    const terms = fc.uniqueArray(fc.constantFrom('sA', 'sB', 'nX', 'nY', 'wW'));
    const numbers = fc.uniqueArray(fc.constantFrom('X', 'Y', 'Z'));
    fc.assert(
      fc.property(terms, terms, numbers, numbers, (before, after, sent, sentLater) => {
        const [from, to] = [dispatched(...sent), dispatched(...new Set([...sent, ...sentLater]))];
        const all = (content: readonly string[], progress: Progress) =>
          new Set([
            ...content,
            ...[progress.furtherDispatches ?? [], progress.dispatch ?? []].flat().map((one) => numberTerm(one.trackingNumber)),
          ]);
        const change = termsChange({ before, after }, from, to);
        const result = all(before, from);
        for (const term of change?.removed ?? []) result.delete(term);
        for (const term of change?.added ?? []) result.add(term);
        expect(result).toEqual(all(after, to));
        if (change !== undefined) expect(new Set(change.all)).toEqual(result);
      }),
    );
  });
});
