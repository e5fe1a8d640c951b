import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { Request } from 'express';
import { ExportCursors, type ExportPlace } from './export-cursors.ts';
import { requireOperator } from './operator-access.ts';

const NOW = 1_000_000;
const HOUR = 3_600_000;

async function setUp() {
  const clock = new ManualClock(NOW);
  const cursors = new ExportCursors(['a secret of the installation, long enough'], clock);
  const letIn = requireOperator({
    authenticate: async (name) => ({ name, role: 'admin' }),
    operatorUse: { note: () => undefined },
    clock,
  });
  const asked = async (after?: string): Promise<Request> => {
    const params = { id: 'tnt_1', service: 'gateway', kind: 'keys' };
    const req = { query: { ...(after !== undefined && { after }) }, params, headers: { authorization: 'Bearer alice' } };
    await letIn(req as unknown as Request, {} as never, () => undefined);
    return req as unknown as Request;
  };
  return { clock, cursors, asked };
}

test('a cursor that is an hour old begins the next part, which has an entry of its own', async () => {
  const { clock, cursors, asked } = await setUp();
  const first = await asked();
  const after = cursors.next(first, cursors.read(first) as ExportPlace, 'place');
  clock.advance(HOUR - 1);
  const second = await asked(after);
  const later = cursors.next(second, cursors.read(second) as ExportPlace, 'later');
  clock.advance(1);
  // What was found out about a request stays so.
  expect(cursors.read(second)).toMatchObject({ begins: false });
  expect(cursors.read(await asked(later))).toEqual({ place: 'later', begunAt: NOW + HOUR, begins: true });
  expect(cursors.read(await asked(after))).toEqual({ place: 'place', begunAt: NOW + HOUR, begins: true });
});
