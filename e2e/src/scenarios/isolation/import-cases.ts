import { expect } from '@jest/globals';
import type { ForecastImport } from '@parcelway/contracts/import-api';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute, expectRoute } from '@parcelway/harness/route-call';
import type { Cases, Neighbours } from './neighbours.ts';

const NOBODYS = 'imp_00000000000000000000000000000000';

/** Imports of others. */
export function importCases({ owner, stranger, likeMissing }: Neighbours): Cases {
  let begun: Promise<string> | undefined;
  const ownersImport = (): Promise<string> => {
    const content = Buffer.from(`PO,Type,Warehouse,SKU,Name,Qty\n${newPoNumber()},1,${owner.identity.warehouseCode},A,Lamp,1`);
    begun ??= owner.client
      .upload<ForecastImport>('/open/v1/forecasts/import', 'a.csv', content, 'text/csv')
      .then(({ data }) => data.import_id);
    return begun;
  };
  const ofOwner = (id: string) => async (): Promise<void> =>
    likeMissing(id, { path: { import_id: await ownersImport() } }, { path: { import_id: NOBODYS } }, '40403');
  const ofNobody = (id: string) => async (): Promise<void> => {
    const { status } = await callRoute(stranger.client, id);
    expect(status).toBe(200);
  };

  /** Route id → what is tried. */
  return {
    importForecasts: async () => {
      const content = Buffer.from(`PO,Type,Warehouse,SKU,Name,Qty\n${newPoNumber()},1,${owner.identity.warehouseCode},A,Lamp,1`);
      const upload = (by: typeof owner) => by.client.upload<ForecastImport>('/open/v1/forecasts/import', 'a.csv', content, 'text/csv');
      const [mine, theirs] = [await upload(owner), await upload(stranger)];
      expect(theirs.data.import_id).not.toBe(mine.data.import_id);
    },
    previewImport: async () => {
      const content = Buffer.from(`PO,Type,Warehouse,SKU,Name,Qty\n${newPoNumber()},1,${owner.identity.warehouseCode},A,Lamp,1`);
      const preview = await stranger.client.upload('/open/v1/forecasts/import/preview', 'a.csv', content, 'text/csv');
      expect(preview.code).toBe('0');
    },
    listImports: async () => {
      const id = await ownersImport();
      const { imports } = await expectRoute<{ imports: ForecastImport[] }>(stranger.client, 'listImports');
      expect(imports.map(({ import_id }) => import_id)).not.toContain(id);
    },
    getImport: ofOwner('getImport'),
    listImportRows: ofOwner('listImportRows'),
    getFailedRows: ofOwner('getFailedRows'),
    cancelImport: ofOwner('cancelImport'),
    getImportTemplateCsv: ofNobody('getImportTemplateCsv'),
    getImportTemplateXlsx: ofNobody('getImportTemplateXlsx'),
  };
}
