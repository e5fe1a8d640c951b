import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, describe, expect, test } from '@jest/globals';
import { contentOf, itemOf, render } from '../../testing/render.ts';
import { type LabelPage, labelPages } from '../domain/label-format.ts';

const directory = mkdtempSync(join(tmpdir(), 'documents-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The sizes of the pages of a PDF in millimetres, as another library reads them. */
async function pagesOf(pdf: Buffer | undefined): Promise<readonly string[]> {
  const pages = (await PDFDocument.load(pdf ?? Buffer.alloc(0))).getPages();
  const millimetres = (points: number): number => Math.round((points * 254) / 72) / 10;
  return pages.map((page) => `${millimetres(page.getWidth())}x${millimetres(page.getHeight())}`);
}

const many = (count: number, quantity: number) =>
  Array.from({ length: count }, (_, index) => itemOf({ sku_code: `SKU-${index}`, forecast_quantity: quantity }));

describe('the product label', () => {
  test.each<[LabelPage, label: readonly string[], copies: number]>([
    ['100x150', ['100x150', '100x150', '100x150'], 6],
    ['60x40', ['60x40', '60x40', '60x40'], 6],
    ['a4', ['210x297'], 1],
  ])('of size %s has a page for each item and one for the carton', async (page, label, copies) => {
    const rendered = render(contentOf({ page, items: [itemOf({ forecast_quantity: 2 }), itemOf({ forecast_quantity: 3 })] }));
    expect(await pagesOf(rendered.label)).toEqual(label);
    expect(await pagesOf(rendered.copies)).toHaveLength(copies);
    expect(await pagesOf(rendered.slip)).toEqual(['210x297']);
  });

  test('has as many copies as 10,000 pages hold, which share the contents of the label', async () => {
    const rendered = render(contentOf({ items: [itemOf({ forecast_quantity: 9999 })] }));
    expect(await pagesOf(rendered.copies)).toHaveLength(10_000);
    const bytesOfCopies = (rendered.copies?.length ?? 0) - rendered.label.length;
    expect(bytesOfCopies / 9998).toBeLessThan(200);
  });

  test('has no copies beyond that', () => {
    const rendered = render(contentOf({ items: [itemOf({ forecast_quantity: 10_000 })] }));
    expect([rendered.copies, rendered.sections.copiesEnd, rendered.sections.slipStart]).toEqual([
      undefined,
      null,
      rendered.sections.labelEnd,
    ]);
  });

  test('reports items without a symbol and of characters that no font has', () => {
    const items = [itemOf({ sku_code: '货号-1' }), itemOf({ product_name_en: 'smile 😀 سلام' })];
    expect(render(contentOf({ items }))).toMatchObject({ itemsWithoutSymbol: 1, replacedCharacters: 5 });
  });

  test.each([
    [1, 'of a style that neither font has', '𝐀'],
    [6, 'of scripts that need shaping', 'हिन्दी'],
    [0, 'of a letter whose accent is a character of its own', 'e\u0301 z\u030c'],
  ])('reports %d characters %s', (replacedCharacters, _what, name) => {
    expect(render(contentOf({ items: [itemOf({ product_name_en: name })] })).replacedCharacters).toBe(replacedCharacters);
  });

  test('has the same bytes for the same content, and others for another', () => {
    const content = contentOf({ items: [itemOf({ product_name_cn: '纯棉T恤' })] });
    const [one, two, other] = [render(content), render(content), render({ ...content, version: 2 })];
    for (const part of ['label', 'copies', 'slip'] as const) expect(one[part]).toEqual(two[part]);
    expect(other.slip.equals(one.slip)).toBe(false);
  });

  test.each([
    ['of nothing but blanks', ' \u3000 '],
    ['that is one word', 'x'.repeat(500)],
    ['of combining characters', 'e\u0301'.repeat(200)],
    ['of halves of surrogate pairs', '\ud83d\ude00\ud83d \udc00'],
    ['of brackets and backslashes', '(((\\))) <>[]{}/%'],
    ['of direction marks', '\u202eabc\u2066\u200f'],
    ['of 500 ideographs', '纯'.repeat(500)],
  ])('takes a name %s', async (_what, name) => {
    for (const page of labelPages) {
      const rendered = render(
        contentOf({ page, items: [itemOf({ product_name_en: name, product_name_cn: name, sku_code: `${name}`.slice(0, 100) })] }),
      );
      expect((await pagesOf(rendered.label)).length).toBeGreaterThan(0);
      expect((await pagesOf(rendered.slip)).length).toBe(1);
    }
  });
});

test('a label may have 2,000 items', async () => {
  const items = Array.from({ length: 2000 }, (_, index) =>
    itemOf({ sku_code: `SKU-${index}`, product_name_cn: '纯棉短袖', forecast_quantity: 5, declared_weight_kg: 0.2 }),
  );
  const { label, copies } = render(contentOf({ items }));
  expect(await pagesOf(label)).toHaveLength(2001);
  expect(copies).toBeUndefined();
});

/** Runs a program that ends with one of the codes. @returns what it prints */
function run(command: string, args: readonly string[], codes: readonly (number | null)[] = [0]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', cwd: directory, timeout: 60_000 });
  if (!codes.includes(status)) throw new Error(`${command} ended with ${status}: ${stderr}`, { cause: error });
  return stdout;
}

const isHere = (command: string): boolean => !spawnSync(command, ['--version']).error;

/** What a scanner reads of a PDF that is printed in dots of black and white, each once. */
function scanned(pdf: Buffer, dpi: number): readonly string[] {
  const folder = mkdtempSync(join(directory, 'pages-'));
  writeFileSync(join(folder, 'document.pdf'), pdf);
  run('pdftoppm', ['-r', String(dpi), '-mono', join(folder, 'document.pdf'), join(folder, 'page')]);
  const images = readdirSync(folder).filter((name) => name.endsWith('.pbm'));
  // 4: an image without a code.
  const read = images.flatMap((image) => run('zbarimg', ['--quiet', '-Supca.enable=1', join(folder, image)], [0, 4]).split('\n'));
  return [...new Set(read)].filter((line) => line !== '').sort();
}

function textOf(pdf: Buffer): string {
  writeFileSync(join(directory, 'text.pdf'), pdf);
  return run('pdftotext', ['-layout', 'text.pdf', '-']);
}

/** Programs of other people → the Debian package to install. Without them their tests are skipped, and their names say why. */
const PROGRAMS = { zbarimg: 'zbar-tools', pdftoppm: 'poppler-utils', pdftotext: 'poppler-utils' } as const;
const missing = Object.entries(PROGRAMS).filter(([command]) => !isHere(command));
const [testWithPrograms, needs] =
  missing.length === 0
    ? [test, '']
    : [test.skip, `; needs ${missing.map(([command, from]) => `${command} (${from})`).join(', ')}, which is not installed here`];

/** Dots per inch of printers of labels. */
const PRINTERS = [203, 300];

/** Bars on a label of 50 × 30 mm that the guide asks 300 dpi for. */
const FINE = ['CODE-128:A wrong check digit', 'CODE-128:FC261121K7Q0Z4M2XT'];

/** Names with letters that Helvetica lacks. */
const NAMES: readonly (readonly [language: string, name: string])[] = [
  ['Polish', 'Zażółć gęślą jaźń'],
  ['Czech', 'Příliš žluťoučký kůň'],
  ['Hungarian', 'Árvíztűrő fúrógép'],
  ['Romanian', 'Țesătură și băț'],
  ['Turkish', 'Işıklı ağaç İĞŞ'],
  ['Greek', 'Καλημέρα ΐ Ώ ϊ'],
  ['Ukrainian', 'Їжак, ґанок, є'],
  ['Serbian', 'Ђурђевак ћошак'],
  ['Vietnamese', 'Áo thun cổ tròn'],
  ['Sami and Maltese', 'Łıħŋ ġdid'],
];

describe('programs of others', () => {
  const items = [
    itemOf({ sku_code: 'A-13', barcode: '4006381333931', product_name_cn: '纯棉短袖衬衫' }),
    itemOf({ sku_code: 'A-8', barcode: '96385074', product_name_cn: 'シャツ' }),
    itemOf({ sku_code: 'A-12', barcode: '036000291452' }),
    itemOf({ sku_code: 'A wrong check digit', barcode: '4006381333932', forecast_quantity: 12 }),
    itemOf({ sku_code: `LONG-${'X'.repeat(80)}` }),
    itemOf({ sku_code: '货号-7', product_name_en: 'Łódź 😀' }),
  ];
  const codes = [
    'CODE-128:00006141411234567890',
    'CODE-128:A wrong check digit',
    'CODE-128:FC261121K7Q0Z4M2XT',
    'EAN-13:4006381333931',
    'EAN-8:96385074',
    `QR-Code:LONG-${'X'.repeat(80)}`,
    'QR-Code:{"forecast_no":"FC261121K7Q0Z4M2XT","po_number":"PO-1001","warehouse_code":"SZ-01"}',
    'UPC-A:036000291452',
  ];

  testWithPrograms.each(labelPages.flatMap((page) => PRINTERS.map((dpi) => [page, dpi] as const)))(
    `read every code of a label of %s at %d dpi${needs}`,
    (page, dpi) => {
      const { label } = render(contentOf({ page, items, sscc: '006141411234567890' }));
      const isReadable = (code: string): boolean => page !== '60x40' || dpi >= 300 || !FINE.includes(code);
      expect(scanned(label, dpi)).toEqual(codes.filter(isReadable));
    },
  );

  testWithPrograms.each(labelPages)(`show the version of a forecast on every label of %s, by its text alone${needs}`, (page) => {
    const [one, two] = [1, 2].map((version) => render(contentOf({ page, version, items, sscc: '006141411234567890' })).label) as [
      Buffer,
      Buffer,
    ];
    // An item's label each, the carton's, and one of its SSCC where that has no room beside the rest.
    expect(textOf(two).split('FC261121K7Q0Z4M2XT v2').length - 1).toBe(items.length + (page === '100x150' ? 1 : 2));
    expect(textOf(one)).toMatch(/FC261121K7Q0Z4M2XT(?! v)/);
    expect(textOf(one)).not.toContain(' v1');
    expect(scanned(two, 300)).toEqual(codes);
  });

  testWithPrograms.each(NAMES)(`read a name in %s as written${needs}`, (_language, name) => {
    const { label, slip, replacedCharacters } = render(
      contentOf({ items: [itemOf({ sku_code: name, product_name_en: `纯棉 ${name}`, product_name_cn: name })] }),
    );
    for (const pdf of [label, slip]) expect(textOf(pdf).split(name)).toHaveLength(4);
    expect(replacedCharacters).toBe(0);
  });

  testWithPrograms(`read every item and the totals of a packing slip${needs}`, () => {
    const rows = many(100, 3).map((item) => ({ ...item, declared_weight_kg: 0.25 }));
    const text = textOf(render(contentOf({ items: rows })).slip);
    for (const [index, { sku_code }] of rows.entries()) {
      expect(text).toMatch(new RegExp(`^ *${index + 1} +${sku_code} +Cotton T-shirt +3 +0\\.25 +0\\.75$`, 'm'));
    }
    expect(text).toMatch(/Total of 100 items +300 +75$/m);
    expect(text).toContain('4/4');
  });
});
