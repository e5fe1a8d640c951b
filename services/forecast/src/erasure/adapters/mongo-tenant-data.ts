import { photoTokensIn } from '@parcelway/contracts/photo-tokens';
import type { TenantData } from '@parcelway/kernel/tenant-data';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { idempotencyKind, MongoErasedTenants, mongoKind, withoutOutbox } from '@parcelway/mongo/mongo-tenant-data';
import { forecasts } from '../../adapters/mongo-schema.ts';

/** Ids of forecasts begin with their tenant. */
const owned = { separator: ' ' } as const;

/** What the service stores about tenants, in MongoDB. @param db migrated with the collections of the service */
export function createMongoTenantData(db: MongoDatabase): TenantData {
  return {
    kinds: [
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
          const { content, received_items, held_until: _held, claims: _claims, applied, ...rest } = withoutOutbox(document);
          return {
            ...rest,
            content: JSON.parse(String(content)) as unknown,
            received_items: received_items === undefined ? [] : (JSON.parse(String(received_items)) as unknown),
            applied_events: applied,
          };
        },
      }),
      idempotencyKind(db),
    ],
    erased: new MongoErasedTenants(db),
  };
}
