import type { QueuedReport } from '../queue/queued-report.ts';

/** A report that waits on the device. */
export function reportWith(seq: number, changes: Partial<QueuedReport> = {}): QueuedReport {
  const stamp = { event_id: `e${seq}`, occurred_at: '2026-11-23T04:00:00.000Z', warehouse_code: 'SZ01' };
  return { seq, scope: 'sandbox:SZ01', stamp, draft: { type: 'arrival', forecast_no: 'FC1' }, photos: [], title: 'PO-1', ...changes };
}
