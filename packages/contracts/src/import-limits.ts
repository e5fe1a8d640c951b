/* Limits of imports, apart from their schemas: the thread that reads a spreadsheet needs no more, and the library of schemas would triple the time of its start. */

/** Largest spreadsheet: 20 MB, 20 × 1024 × 1024 bytes. */
export const MAX_IMPORT_BYTES = 20_971_520;
/** Most rows of a spreadsheet, without its header and empty rows. */
export const MAX_IMPORT_ROWS = 50_000;
/** Most columns of a spreadsheet. */
export const MAX_IMPORT_COLUMNS = 100;
/** Most characters of a cell. */
export const MAX_CELL_CHARACTERS = 5000;
/** Imports of a tenant that are not finished, at most. */
export const MAX_UNFINISHED_IMPORTS = 10;
