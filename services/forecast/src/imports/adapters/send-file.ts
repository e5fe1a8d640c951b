import type { Response } from 'express';
import type { SpreadsheetKind } from '../ports.ts';

const TYPES: Readonly<Record<SpreadsheetKind, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Sets the headers of a spreadsheet to save. @param name of ASCII letters, digits, hyphens and dots */
export function fileHeaders(res: Response, name: string, kind: SpreadsheetKind): void {
  res.setHeader('Content-Type', TYPES[kind]);
  res.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  res.setHeader('X-Content-Type-Options', 'nosniff');
}

/** Sends a whole spreadsheet. */
export function sendFile(res: Response, name: string, kind: SpreadsheetKind, content: Buffer): void {
  fileHeaders(res, name, kind);
  res.setHeader('Content-Length', content.length);
  res.end(content);
}
