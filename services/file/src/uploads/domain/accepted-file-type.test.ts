import { describe, expect, test } from '@jest/globals';
import { cleanFileName, cutFileName, inlineDisposition } from '../../domain/file-name.ts';
import { type FileFaults, type FileKind, isRefused, pdfEndFaults, recogniseImage, recognisePdf, TAIL_BYTES } from './accepted-file-type.ts';
import { sizeInfo } from './inspected-pdf.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The rules that a file breaks; none when it is taken. */
const rulesOf = (recognised: FileKind | FileFaults): string[] => (isRefused(recognised) ? recognised.map(({ rule }) => rule) : []);

describe('recognisePdf', () => {
  test.each(['%PDF-1.7', '\u00ef\u00bb\u00bf%PDF-', ' \t\r\n\f%PDF-', '\u00ef\u00bb\u00bf \n%PDF-'])('takes %j', (head) => {
    expect(recognisePdf('LABEL.Pdf', latin1(head))).toEqual({ mediaType: 'application/pdf', extension: 'pdf' });
  });

  test.each(['%PDF', 'x%PDF-', '\0%PDF-', ' \u00ef\u00bb\u00bf%PDF-', 'PK\u0003\u0004%PDF-', '%pdf-1.7'])('refuses %j', (head) => {
    expect(rulesOf(recognisePdf('a.pdf', latin1(head)))).toEqual(['beginning']);
  });

  test('names every fault, and of an empty file no other of its content', () => {
    expect(rulesOf(recognisePdf('a.exe', latin1('MZ')))).toEqual(['extension', 'beginning']);
    for (const name of ['a.pdf.exe', 'a-pdf']) expect(rulesOf(recognisePdf(name, latin1('%PDF-')))).toEqual(['extension']);
    expect(rulesOf(recognisePdf('a.pdf', latin1('')))).toEqual(['empty']);
    expect(rulesOf(recognisePdf('a', latin1('')))).toEqual(['extension', 'empty']);
  });

  test('says of each fault of a file what is wanted', () => {
    const head = latin1('x');
    const all = [recognisePdf('a', latin1('')), recognisePdf('a.pdf', head), pdfEndFaults(head), recogniseImage('a', head)];
    expect(all.flat()).toEqual([
      { field: 'file', rule: 'extension', message: 'file must have a name that ends in .pdf' },
      { field: 'file', rule: 'empty', message: 'file must not be empty' },
      { field: 'file', rule: 'beginning', message: expect.stringMatching(/^file must begin with %PDF-,/) },
      { field: 'file', rule: 'end', message: 'file must have %%EOF or startxref within its last 1,024 bytes' },
      { field: 'file', rule: 'image', message: 'file must be a JPEG, PNG or WebP image' },
    ]);
  });
});

describe('pdfEndFaults', () => {
  test.each(['%%EOF', 'startxref\n120\n'])('takes %j anywhere in the tail, and not before it', (mark) => {
    expect(pdfEndFaults(latin1(mark + ' '.repeat(TAIL_BYTES - mark.length)))).toEqual([]);
    expect(rulesOf(pdfEndFaults(latin1(mark + ' '.repeat(TAIL_BYTES - mark.length + 1))))).toEqual(['end']);
  });
});

describe('recogniseImage', () => {
  test.each([
    ['image/jpeg', 'jpg', '\u00ff\u00d8\u00ff\u00e0'],
    ['image/png', 'png', '\u0089PNG\r\n\u001a\n'],
    ['image/webp', 'webp', 'RIFF\u0001\u0002\u0003\u0004WEBP'],
  ])('%s by its signature, whatever its name', (mediaType, extension, head) => {
    expect(recogniseImage('x', latin1(head))).toEqual({ mediaType, extension });
    expect(rulesOf(recogniseImage('x', latin1(head).subarray(0, -2)))).toEqual(['image']);
  });

  test.each(['', '\u00ff\u00d8', 'RIFF\u0001\u0002\u0003\u0004WAVE', 'XXXX\u0001\u0002\u0003\u0004WEBP', 'GIF89a'])(
    'refuses %j',
    (head) => {
      expect(rulesOf(recogniseImage('a.png', latin1(head)))).toEqual([head === '' ? 'empty' : 'image']);
    },
  );
});

describe('a file name', () => {
  test('keeps its characters, but for control characters', () => {
    expect(cleanFileName('a\r\n\0b\u0085.pdf')).toBe('ab.pdf');
    expect(cutFileName('ä'.repeat(255))).toBe('ä'.repeat(255));
    expect(cutFileName('ä'.repeat(256))).toBe('ä'.repeat(255));
    expect(cutFileName(`a\ud83d`)).toBe(`a\ud83d`);
    expect(cutFileName(`${'x'.repeat(254)}😀y`)).toBe(`${'x'.repeat(254)}😀`);
  });

  test('is proposed in ASCII to old clients, and in full to others', () => {
    expect(inlineDisposition('label 1_a-b.pdf')).toBe(`inline; filename="label 1_a-b.pdf"; filename*=UTF-8''label%201_a-b.pdf`);
    expect(inlineDisposition('a\ud83d.pdf')).toBe(`inline; filename="a_.pdf"; filename*=UTF-8''a%EF%BF%BD.pdf`);
    expect(inlineDisposition(`ä "(1)*!'.pdf`)).toBe(`inline; filename="_ __1____.pdf"; filename*=UTF-8''%C3%A4%20%22%281%29%2A%21%27.pdf`);
  });

  test('loses what changes the direction of the text, and nothing else', () => {
    expect(inlineDisposition('\u061c\u200e\u200f\u202a\u2066\u2069.pdf')).toBe(`inline; filename=".pdf"; filename*=UTF-8''.pdf`);
    expect(inlineDisposition('a\u202efdp.exe')).toBe(`inline; filename="afdp.exe"; filename*=UTF-8''afdp.exe`);
  });
});

test.each([
  [0, '0.00 B'],
  [1023, '1023.00 B'],
  [1024, '1.00 KB'],
  [1536, '1.50 KB'],
  [1_048_570, '1023.99 KB'],
  [1_048_575, '1.00 MB'],
  [1_572_864, '1.50 MB'],
  [10_485_760, '10.00 MB'],
])('%d bytes are %s', (bytes, text) => expect(sizeInfo(bytes)).toBe(text));
