import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '@parcelway/kernel/app-error';
import type { SheetPart } from '../../domain/sheet-reading.ts';
import type { SpreadsheetKind } from '../../ports.ts';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';

/* The thread that reads one spreadsheet: each message asks for the next part. */

export interface SpreadsheetJob {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly kind: SpreadsheetKind;
}

/** The next part, the end, or why there is none. */
export type SpreadsheetReply =
  | { readonly part: SheetPart }
  | { readonly end: true }
  | { readonly failure: { readonly code: '42205' | '42206' | '50000'; readonly message: string } };

// The parser of CSV files makes an error for each row whose length differs, which nobody sees: most of its time goes into the stack.
Error.stackTraceLimit = 0;

const { content, kind } = workerData as SpreadsheetJob;
const parts = kind === 'csv' ? readCsv(content) : readXlsx(content);

function failureOf(error: unknown): SpreadsheetReply {
  if (error instanceof AppError && (error.code === '42205' || error.code === '42206')) {
    return { failure: { code: error.code, message: error.message } };
  }
  // What libraries throw while they unpack or parse is about the file.
  return { failure: { code: '42205', message: `The file is not readable: ${(error as Error).message.slice(0, 200)}` } };
}

async function next(): Promise<SpreadsheetReply> {
  try {
    const step = await parts.next();
    return step.done ? { end: true } : { part: step.value };
  } catch (error) {
    return failureOf(error);
  }
}

parentPort?.on('message', () => {
  void next().then((reply) => parentPort?.postMessage(reply));
});
