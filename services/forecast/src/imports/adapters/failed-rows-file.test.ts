import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { until } from '@parcelway/kernel/testing/until';
import type { Response } from 'express';
import type { ImportRecord, StoredRow } from '../import-collections.ts';
import type { ImportStore, RowQuery } from '../import-store.ts';
import type { SpreadsheetKind } from '../ports.ts';
import { sendFailedRows } from './failed-rows-file.ts';

const record = { tenantId: 'tnt_a', importId: 'imp_1', columns: [{ title: 'PO', field: 'po_number' }] } as unknown as ImportRecord;
let server: Server | undefined;
afterEach(() => void server?.close());

const rowsBehind = ({ after, limit }: RowQuery): StoredRow[] =>
  Array.from({ length: limit }, (_, index) => ({
    row: after + index + 1,
    poNumber: 'P',
    cells: [String(Math.random()).repeat(20)],
    state: 'failed',
    forecastNo: null,
    errors: [],
    warnings: [],
  }));

/** Serves the failed rows of a store. @returns the address, and how the sending ended */
async function serve(kind: SpreadsheetKind, rows: (query: RowQuery) => StoredRow[]) {
  const store = { rows: async (_name: unknown, query: RowQuery) => rows(query) } as unknown as ImportStore;
  const ends: unknown[] = [];
  server = createServer((_req, res) => {
    sendFailedRows(store, record, kind, res as unknown as Response).then(
      () => ends.push('sent'),
      (error: unknown) => {
        ends.push(error);
        res.end();
      },
    );
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, ends };
}

const opened = (port: number): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => get({ host: '127.0.0.1', port }, resolve).on('error', reject));

describe.each<SpreadsheetKind>(['csv', 'xlsx'])('failed rows as %s', (kind) => {
  test('have a broken connection when the store fails in their middle', async () => {
    const { port, ends } = await serve(kind, (query) => {
      if (query.after >= 5000) throw AppError.unavailable('The store is out');
      return rowsBehind(query);
    });
    const res = await opened(port);
    expect(res.statusCode).toBe(200);
    await expect(res.resume().toArray()).rejects.toMatchObject({ code: 'ECONNRESET' });
    await until(() => ends.length > 0);
    expect(ends).toEqual([expect.objectContaining({ code: '50301' })]);
  });

  test('are read no further when the client leaves, which is no failure', async () => {
    let readTo = 0;
    const { port, ends } = await serve(kind, (query) => {
      readTo = query.after;
      return rowsBehind(query);
    });
    const res = await opened(port);
    await until(() => readTo > 0);
    res.destroy();
    await until(() => ends.length > 0);
    expect(ends).toEqual(['sent']);
  });
});
