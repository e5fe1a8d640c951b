import type { ImportPhase, ImportRowState } from '@parcelway/contracts/import-api';
import type { Warning } from '@parcelway/contracts/warnings';
import type { FieldError } from '@parcelway/kernel/app-error';
import { charactersOf } from '../domain/cell-characters.ts';
import type { Cell } from '../domain/convert-cell.ts';
import type { ImportWarning, MappedColumn, Mapping } from '../domain/map-columns.ts';
import type { ImportRecord, NewImport, RowLimit, RowOutcome, SpreadsheetKind, StoredRow } from '../ports.ts';

/* Imports and their rows as both stores keep them: lists and objects as JSON, because only the whole is ever read. */

/** An import as it is stored. Instants are epoch milliseconds. */
export interface StoredImport {
  readonly tenant_id: string;
  readonly import_id: string;
  readonly file_name: string;
  readonly file_key: string;
  readonly kind: string;
  readonly mapping: string;
  readonly validate_only: number;
  readonly state: string;
  readonly phase: string;
  readonly total: number;
  readonly accepted: number;
  readonly failed: number;
  readonly forecasts_accepted: number;
  readonly forecasts_failed: number;
  readonly columns: string;
  readonly warnings: string;
  readonly error: string | null;
  readonly created_at: number;
  readonly finished_at: number | null;
  readonly key_id: string;
  readonly attempt: number;
}

export interface StoredImportRow {
  readonly row_no: number;
  readonly po_number: string;
  readonly cells: string;
  /** Place in {@link rowStates}. */
  readonly state: number;
  readonly forecast_no: string | null;
  /** JSON of {@link Findings}; null when there are none. */
  readonly findings: string | null;
}

interface Findings {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly Warning[];
}

/** States of rows, by the number that is stored. */
export const rowStates: readonly ImportRowState[] = ['pending', 'accepted', 'failed'];

export const numberOfState = (state: ImportRowState): number => rowStates.indexOf(state);

export function newStoredImport({ tenantId, importId, fileName, fileKey, kind, keyId, createdAt }: NewImport): StoredImport {
  return {
    tenant_id: tenantId,
    import_id: importId,
    file_name: fileName,
    file_key: fileKey,
    kind,
    mapping: '{}',
    validate_only: 0,
    state: 'receiving',
    phase: 'waiting',
    total: 0,
    accepted: 0,
    failed: 0,
    forecasts_accepted: 0,
    forecasts_failed: 0,
    columns: '[]',
    warnings: '[]',
    error: null,
    created_at: createdAt,
    finished_at: null,
    key_id: keyId,
    attempt: 0,
  };
}

export function toImport(stored: StoredImport): ImportRecord {
  return {
    tenantId: stored.tenant_id,
    importId: stored.import_id,
    fileName: stored.file_name,
    fileKey: stored.file_key,
    kind: stored.kind as SpreadsheetKind,
    keyId: stored.key_id,
    mapping: JSON.parse(stored.mapping) as Mapping,
    validateOnly: stored.validate_only === 1,
    state: stored.state as ImportRecord['state'],
    phase: stored.phase as ImportPhase,
    attempt: stored.attempt,
    total: stored.total,
    accepted: stored.accepted,
    failed: stored.failed,
    forecastsAccepted: stored.forecasts_accepted,
    forecastsFailed: stored.forecasts_failed,
    columns: JSON.parse(stored.columns) as MappedColumn[],
    warnings: JSON.parse(stored.warnings) as ImportWarning[],
    error: stored.error === null ? null : (JSON.parse(stored.error) as ImportRecord['error']),
    createdAt: stored.created_at,
    finishedAt: stored.finished_at,
  };
}

export function toRow(stored: StoredImportRow): StoredRow {
  const findings = stored.findings === null ? { errors: [], warnings: [] } : (JSON.parse(stored.findings) as Findings);
  return {
    row: stored.row_no,
    poNumber: stored.po_number,
    cells: JSON.parse(stored.cells) as Cell[],
    state: rowStates[stored.state] ?? 'pending',
    forecastNo: stored.forecast_no,
    ...findings,
  };
}

/** What is stored of errors and warnings. */
export function findingsOf({ errors, warnings }: RowOutcome): string | null {
  return errors.length === 0 && warnings.length === 0 ? null : JSON.stringify({ errors, warnings } satisfies Findings);
}

/** How many rows have a result. */
export function countsOf(outcomes: readonly RowOutcome[]): { readonly accepted: number; readonly failed: number } {
  const accepted = outcomes.filter(({ state }) => state === 'accepted').length;
  return { accepted, failed: outcomes.length - accepted };
}

/** Rows as a store collects them, up to a limit. */
export class LimitedRows {
  readonly rows: StoredRow[] = [];
  readonly #limit: RowLimit;
  #characters = 0;

  constructor(limit: RowLimit) {
    this.#limit = limit;
  }

  /** True once the limit has been reached. */
  get isFull(): boolean {
    return this.rows.length >= this.#limit.rows || this.#characters >= this.#limit.characters;
  }

  /** Adds a row, also when the limit has been reached. */
  add(row: StoredRow): void {
    this.rows.push(row);
    this.#characters += charactersOf(row.cells);
  }
}
