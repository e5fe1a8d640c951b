import { expect, test } from '@jest/globals';
import { Ledger } from '../ledger/ledger.ts';
import type { FaultStage } from './fault.ts';
import { confirm } from './probe.ts';

test('a submission that gets another number when it is sent again is a contradiction', async () => {
  const ledger = new Ledger();
  const [kept, changed, refused] = [ledger.begin({ isPlain: true }), ledger.begin({ isPlain: true }), ledger.begin({ isPlain: true })];
  ledger.acknowledgeForecast(kept, 'FC-1');
  ledger.acknowledgeForecast(changed, 'FC-2');
  let refusals = 1;
  const call = async (_path: string, { body }: { readonly body: { readonly po_number: string } }): Promise<object> => {
    if (body.po_number === refused.poNumber && refusals-- > 0) return { code: '50301', data: null };
    return { code: '0', data: { forecast_no: body.po_number === kept.poNumber ? 'FC-1' : 'FC-3' } };
  };
  const stage = { ledger, load: { clients: { merchant: { call }, warehouseCode: 'WH' } } } as unknown as FaultStage;
  expect(await confirm([...ledger.entries.values()], stage)).toEqual([]);
  expect(ledger.contradictions).toEqual([`${changed.poNumber} was FC-2, then FC-3`]);
  expect(refused.forecastNo).toBe('FC-3');
});
