import { MAX_CELL_CHARACTERS } from '@parcelway/contracts/import-limits';
import { AppError } from '@parcelway/kernel/app-error';
import { damaged, type SpreadsheetPackage } from './open-package.ts';
import { readXml } from './xml-events.ts';

/** A character that XML cannot have, or a text that looks like one, in UTF-16: ECMA-376, part 1, 22.9.2.19. Two of them may be one character. */
const ESCAPE = /_x(D[89AB][0-9A-F]{2})__x(D[C-F][0-9A-F]{2})_|_x([0-9A-F]{4})_/gi;

const unit = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/** False for half of a surrogate pair, which is no character, and for NUL, at which some stores end a text. Other control characters are refused where a field has them. */
const isKept = (character: string): boolean => /^[^\p{Cs}\0]$/u.test(character);

/** A text of a cell, in which spreadsheet programs write characters such as a carriage return as `_x000D_`. What would be no text stays as it is written. */
export function withoutEscapes(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(ESCAPE, (written: string, high: string, low: string, one: string | undefined) => {
    if (one === undefined) return unit(high) + unit(low);
    return isKept(unit(one)) ? unit(one) : written;
  });
}

/** Texts of cells lie in one part and are all held in memory. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024;
const MAX_SHEETS = 1000;

/** Where the first visible sheet of a workbook is. */
export interface Workbook {
  readonly sheetPath: string;
  readonly sheetName: string;
  /** Visible sheets. */
  readonly sheets: number;
  /** Undefined when no cell has a text. */
  readonly textsPath: string | undefined;
  readonly countsFrom1904: boolean;
}

interface Relation {
  readonly id: string;
  readonly type: string;
  readonly path: string;
}

/** A target in terms of the folder of what refers to it. */
function pathOf(folder: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1);
  const parts = folder.split('/').filter(Boolean);
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

async function relationsOf(file: SpreadsheetPackage, path: string): Promise<Relation[]> {
  const slash = path.lastIndexOf('/') + 1;
  const folder = path.slice(0, slash);
  const relations: Relation[] = [];
  await readXml(
    await file.open(`${folder}_rels/${path.slice(slash)}.rels`),
    {
      open(name, { Id, Type, Target }) {
        if (name !== 'Relationship' || relations.length >= MAX_SHEETS) return;
        relations.push({ id: Id ?? '', type: (Type ?? '').split('/').at(-1) as string, path: pathOf(folder, Target ?? '') });
      },
    },
    file.elements,
  );
  return relations;
}

/** Finds the first visible sheet. @throws AppError 42205 when there is none */
export async function readWorkbook(file: SpreadsheetPackage): Promise<Workbook> {
  const main = (await relationsOf(file, '')).find(({ type }) => type === 'officeDocument');
  if (main === undefined) throw damaged();
  const sheets: { readonly name: string; readonly id: string }[] = [];
  let countsFrom1904 = false;
  await readXml(
    await file.open(main.path),
    {
      open(name, attributes) {
        if (name === 'workbookPr') countsFrom1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
        if (name !== 'sheet' || (attributes['state'] ?? 'visible') !== 'visible' || sheets.length >= MAX_SHEETS) return;
        const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
        sheets.push({ name: attributes['name'] ?? '', id: id ?? '' });
      },
    },
    file.elements,
  );
  const relations = await relationsOf(file, main.path);
  // A sheet may be a chart.
  const worksheets = sheets.flatMap(({ name, id }) => {
    const relation = relations.find((one) => one.id === id && one.type === 'worksheet');
    return relation ? [{ name, path: relation.path }] : [];
  });
  const [first] = worksheets;
  if (first === undefined) throw new AppError('42205', 'The spreadsheet has no visible sheet');
  const textsPath = relations.find(({ type }) => type === 'sharedStrings')?.path;
  return { sheetPath: first.path, sheetName: first.name, sheets: worksheets.length, textsPath, countsFrom1904 };
}

/** The texts that cells refer to by number. One that is too long is cut a little behind the limit. @throws AppError 42205, 42206 */
export async function readTexts(file: SpreadsheetPackage, path: string | undefined): Promise<readonly string[]> {
  const texts: string[] = [];
  if (path === undefined || !file.has(path)) return texts;
  if (file.sizeOf(path) > MAX_TEXT_BYTES) throw new AppError('42206', 'The spreadsheet has too much text; divide it into several files');
  let text = '';
  let inText = false;
  let inPhonetic = false;
  await readXml(
    await file.open(path),
    {
      open(name) {
        if (name === 'si') text = '';
        else if (name === 'rPh') inPhonetic = true;
        else if (name === 't') inText = !inPhonetic;
      },
      text(piece) {
        if (inText && text.length <= MAX_CELL_CHARACTERS) text += piece.slice(0, MAX_CELL_CHARACTERS + 1);
      },
      close(name) {
        if (name === 'si') texts.push(withoutEscapes(text));
        else if (name === 'rPh') inPhonetic = false;
        else if (name === 't') inText = false;
      },
    },
    file.elements,
  );
  return texts;
}
