import { photoTokensIn } from '@parcelway/contracts/photo-tokens';
import type { TenantData } from '@parcelway/kernel/tenant-data';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { mongoKind, withoutOutbox } from '@parcelway/mongo/mongo-tenant-data';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { createErasedTenants } from '@parcelway/store/shared/erased-tenants';
import { idempotencyKind } from '@parcelway/store/shared/idempotency-keys';
import { usageKind } from '@parcelway/store/shared/usage-days';
import type { ImportFiles } from '../../imports/ports.ts';
import { forecastExpiries } from '../../retention/adapters/mongo-retention-schema.ts';
import { forecasts } from '../../store/adapters/mongo-schema.ts';
import { importKinds, retentionKind } from './imports-kind.ts';

/** Ids of forecasts begin with their tenant. */
const owned = { separator: ' ' } as const;
/** A document with the id of the tenant. What a tenant has chosen is listed with its account. */
const itself = { owner: '_id', order: '_id' } as const;

/**
 * What the service stores about tenants, in MongoDB.
 * @param db migrated with the collections of the service
 * @param files those of imports
 */
export function createMongoTenantData(db: MongoDatabase, files: Pick<ImportFiles, 'delete'>): TenantData {
  const kept = createMongoStore(db);
  return {
    kinds: [
      ...importKinds(kept, files),
      mongoKind(db, forecasts, {
        name: 'photos',
        owned,
        isCopy: true,
        record: ({ forecast_no, progress }) => ({ forecast_no, tokens: photoTokensIn(progress) }),
      }),
      mongoKind(db, forecasts, {
        name: 'forecasts',
        owned,
        record(document) {
          const { content, received_items, held_until: _held, claims: _claims, terms: _terms, applied, ...rest } = withoutOutbox(document);
          return {
            ...rest,
            content: JSON.parse(String(content)) as unknown,
            received_items: received_items === undefined ? [] : (JSON.parse(String(received_items)) as unknown),
            applied_events: applied,
          };
        },
      }),
      retentionKind(kept),
      mongoKind(db, forecastExpiries, { name: 'forecast_expiries', owned: itself, record: null }),
      idempotencyKind(kept),
      usageKind(kept),
    ],
    erased: createErasedTenants(kept),
  };
}
