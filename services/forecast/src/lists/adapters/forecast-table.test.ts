import { describe, expect, test } from '@jest/globals';
import { readForecastConfig } from '../../adapters/forecast-config.ts';
import type { Progress } from '../../store/domain/forecast.ts';
import type { ListedForecast } from '../../store/ports.ts';
import { dispatchAt, measurementAt, record } from '../../testing/samples.ts';
import { tableColumns, tableHead, tableRows } from './forecast-table.ts';

const measurement = measurementAt(1, { length_cm: 32.5, width_cm: 24, height_cm: 11.2, weight_kg: 2.415 });

const dispatch = dispatchAt(1, '1Z999');

const progressOf = (over: Partial<Progress> = {}): Progress => ({
  ...record('F1').progress,
  measurements: [measurement],
  dispatch,
  ...over,
});

const reported = (over: Partial<ListedForecast> = {}): ListedForecast => ({
  ...record('F1', { createdAt: Date.UTC(2026, 10, 21), updatedAt: Date.UTC(2026, 10, 22), status: 5 }),
  progress: progressOf(),
  ...over,
});

const cellsOf = (forecast: ListedForecast): string[] => tableRows([forecast]).trimEnd().split(',');

describe('the table', () => {
  test('begins with the mark of its encoding and the names of its columns', () => {
    expect(tableHead).toBe(
      '\ufeffforecast_no,po_number,forecast_type,warehouse_code,due_date,status,status_name,item_count,version,create_time,update_time,weight_kg,length_cm,width_cm,height_cm,carrier_code,tracking_number,has_exception,on_hold\r\n',
    );
  });

  test('has a line for each forecast', () => {
    expect(tableRows([reported({ onHold: true })])).toBe(
      'F1,PO-F1,2,WH1,2026-12-24,5,SHIPPED,1,1,2026-11-21T00:00:00.000+00:00,2026-11-22T00:00:00.000+00:00,2.415,32.5,24,11.2,acme,1Z999,false,true\r\n',
    );
    expect(tableRows([reported(), reported()]).split('\r\n')).toHaveLength(3);
    expect(tableRows([])).toBe('');
  });

  test('has empty cells where nothing is known', () => {
    expect(cellsOf(reported({ progress: record('F1').progress, dueDate: null })).slice(-8, -2)).toEqual(['', '', '', '', '', '']);
    expect(cellsOf(reported({ dueDate: null }))[tableColumns.indexOf('due_date')]).toBe('');
  });

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1'])('shows %j as text and not as a formula', (poNumber) => {
    expect(tableRows([reported({ poNumber })])).toContain(`'${poNumber}`);
  });
});

test('has the usual divisor, takes another and refuses what is none', () => {
  expect(readForecastConfig({})).toEqual({ VOLUME_DIVISOR: 5000 });
  expect(readForecastConfig({ VOLUME_DIVISOR: '6000' })).toEqual({ VOLUME_DIVISOR: 6000 });
  expect(() => readForecastConfig({ VOLUME_DIVISOR: '5' })).toThrow('VOLUME_DIVISOR');
});
