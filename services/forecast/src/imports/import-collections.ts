import type { ImportError, ImportPhase, ImportRowState, ImportState } from '@parcelway/contracts/import-api';
import type { Warning } from '@parcelway/contracts/warnings';
import type { FieldError } from '@parcelway/kernel/app-error';
import { collection } from '@parcelway/store/collection';
import Type from 'typebox';
import type { Cell } from './domain/convert-cell.ts';
import type { ImportWarning, MappedColumn } from './domain/map-columns.ts';
import type { SpreadsheetKind } from './ports.ts';

const closed = { additionalProperties: false } as const;
const nullableText = Type.Union([Type.String(), Type.Null()]);
const list = <T>() => Type.Unsafe<readonly T[]>({ type: 'array' });

/** Imports. Some fields are there while an import belongs to a list: `slot` until it has finished, `running` while it runs, `shown` once its file has come. */
export const imports = collection(
  'imports',
  Type.Object(
    {
      tenantId: Type.String(),
      importId: Type.String(),
      fileName: Type.String(),
      /** Of the file in the object storage. */
      fileKey: Type.String(),
      kind: Type.Unsafe<SpreadsheetKind>({ type: 'string' }),
      /** Id of the API key that begins it, which its forecasts have as well. */
      keyId: Type.String(),
      /** Arrival of the request. */
      createdAt: Type.Integer(),
      mapping: Type.Record(Type.String(), nullableText),
      validateOnly: Type.Boolean(),
      /** `receiving` while the file arrives: callers do not see it. */
      state: Type.Unsafe<ImportState | 'receiving'>({ type: 'string' }),
      phase: Type.Unsafe<ImportPhase>({ type: 'string' }),
      /** How often processes have taken it. */
      attempt: Type.Integer(),
      /** How often it was begun without progress since: the import itself may be what ends the process. */
      starts: Type.Integer(),
      total: Type.Integer(),
      accepted: Type.Integer(),
      failed: Type.Integer(),
      forecastsAccepted: Type.Integer(),
      forecastsFailed: Type.Integer(),
      columns: list<MappedColumn>(),
      warnings: list<ImportWarning>(),
      error: Type.Unsafe<ImportError | null>({}),
      finishedAt: Type.Union([Type.Integer(), Type.Null()]),
      /** When it is removed, whatever its state. */
      removeAt: Type.Integer(),
      /** The same for every attempt at a request with an idempotency key. */
      seed: Type.Optional(Type.String()),
      /** Of the few places that unfinished imports of a tenant have. */
      slot: Type.Optional(Type.Integer()),
      running: Type.Optional(Type.Integer()),
      shown: Type.Optional(Type.Integer()),
    },
    closed,
  ),
  {
    describe: 'Imports of spreadsheets, with their progress',
    key: ['tenantId', 'importId'],
    unique: { seed: ['tenantId', 'seed'], slot: ['tenantId', 'slot'] },
    // `running` and `over` are of all tenants: whose turn is next, and what is removed, is the platform's own work.
    lists: { shown: ['tenantId', 'shown', '-importId'], all: ['tenantId'], running: ['running'], over: ['removeAt'] },
    tenant: 'tenantId',
    shard: 'tenantId',
    ends: '30 days after it was created',
  },
);

export type Import = NonNullable<(typeof imports)['document']>;
export type ImportRecord = Readonly<Import>;

export const importRows = collection(
  'import_rows',
  Type.Object(
    {
      tenantId: Type.String(),
      importId: Type.String(),
      row: Type.Integer(),
      poNumber: Type.String(),
      cells: list<Cell>(),
      state: Type.Unsafe<ImportRowState>({ type: 'string' }),
      forecastNo: nullableText,
      errors: list<FieldError>(),
      warnings: list<Warning>(),
      /** The first row of its forecast, until the row has a result. */
      pendingOf: Type.Optional(Type.Integer()),
    },
    closed,
  ),
  {
    describe: 'Rows of imports, with their results',
    key: ['tenantId', 'importId', 'row'],
    lists: { all: ['tenantId', 'importId'], state: ['tenantId', 'importId', 'state'], pending: ['tenantId', 'importId', 'pendingOf'] },
    tenant: 'tenantId',
    shard: 'tenantId',
    ends: 'with its import',
    copy: { record: ({ tenantId: _tenant, importId: import_id, pendingOf: _pending, ...row }) => ({ import_id, ...row }) },
  },
);

export type ImportRow = NonNullable<(typeof importRows)['document']>;
export type StoredRow = Readonly<Omit<ImportRow, 'tenantId' | 'importId' | 'pendingOf'>>;

/** What has stopped imports lately; `keyId` is empty when it was the tenant as a whole. `version` is the instant of the latest stop. */
export const importStops = collection(
  'import_stops',
  Type.Object({ tenantId: Type.String(), keyId: Type.String(), version: Type.Integer(), notedAt: Type.Integer() }, closed),
  {
    describe: 'Keys and tenants that were stopped in the last hours',
    key: ['tenantId', 'keyId'],
    lists: { noted: ['notedAt'], tenant: ['tenantId'] },
    tenant: 'tenantId',
    shard: { unsharded: 'one small document for each key and tenant that was stopped in the last hour' },
    // Longer than an upload can take.
    ends: [{ by: 'noted', keptMs: 3_600_000 }],
    copy: 'the activity of the tenant says it',
  },
);

export const importCollections = [imports, importRows, importStops] as const;
