import { expect, test } from '@jest/globals';
import { MAX_FILE_BYTES as ofFiles } from '@parcelway/contracts/file-api';
import { MAX_IMPORT_BYTES } from '@parcelway/contracts/import-limits';
import { MAX_FILE_BYTES } from './files.ts';
import { MAX_SPREADSHEET_BYTES } from './imports.ts';

test('files may be as large as the contract says', () => {
  expect([MAX_FILE_BYTES, MAX_SPREADSHEET_BYTES]).toEqual([ofFiles, MAX_IMPORT_BYTES]);
});
