import { expect, test } from '@jest/globals';
import type { ApiKey, Tenant } from '@parcelway/contracts/admin-api';
import { parcelctlJson } from '@parcelway/harness/parcelctl';
import { useStage } from '../use-stage.ts';

/** A list of the operator's API. */
interface List {
  readonly tenants?: readonly Tenant[];
  readonly keys?: readonly ApiKey[];
  readonly next_cursor?: string | null;
}

const stage = useStage();

/** Ids in a list, read in pages of 2. */
async function idsByPages(list: 'tenants' | 'keys'): Promise<string[]> {
  const ids: string[] = [];
  let next: string | null | undefined = '';
  while (typeof next === 'string') {
    const page: List = await stage.operator.admin.expectOk<List>(`/admin/v1/${list}?limit=2${next && `&cursor=${next}`}`);
    const found = idsOf(page);
    expect(found.length).toBeLessThanOrEqual(2);
    ids.push(...found);
    next = page.next_cursor;
  }
  return ids;
}

const idsOf = ({ tenants = [], keys = [] }: List): string[] => [...tenants.map(({ id }) => id), ...keys.map(({ key_id: id }) => id)];

test('tenants and keys are the same page by page, at once, and as parcelctl prints them', async () => {
  const { admin } = stage.operator;
  for (const name of ['A', 'B', 'C', 'D', 'E']) {
    const { id } = await admin.expectOk<Tenant>('/admin/v1/tenants', { body: { name } });
    await admin.expectOk('/admin/v1/keys', { body: { tenant_id: id } });
  }
  for (const [list, command] of [
    ['tenants', 'tenant'],
    ['keys', 'key'],
  ] as const) {
    const atOnce = await admin.expectOk<List>(`/admin/v1/${list}`);
    expect([Object.keys(atOnce), idsOf(atOnce).length > 5]).toEqual([[list], true]);
    expect(await idsByPages(list)).toEqual(idsOf(atOnce));
    const printed = await parcelctlJson<List>([command, 'list'], { DATA_DIR: stage.platform.dataDirectory });
    expect(idsOf(printed)).toEqual(idsOf(atOnce));
  }
});
