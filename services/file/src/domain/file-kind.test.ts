import { describe, expect, test } from '@jest/globals';
import { endsAsPdf, recogniseImage, recognisePdf, TAIL_BYTES } from './file-kind.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('recognisePdf', () => {
  test.each(['%PDF-1.7', '\u00ef\u00bb\u00bf%PDF-', ' \t\r\n\f%PDF-', '\u00ef\u00bb\u00bf \n%PDF-'])('takes %j', (head) => {
    expect(recognisePdf('LABEL.Pdf', latin1(head))).toEqual({ mediaType: 'application/pdf', extension: 'pdf' });
  });

  test.each(['', '%PDF', 'x%PDF-', '\0%PDF-', ' \u00ef\u00bb\u00bf%PDF-', 'PK\u0003\u0004%PDF-', '%pdf-1.7'])('refuses %j', (head) => {
    expect(recognisePdf('a.pdf', latin1(head))).toBeUndefined();
  });

  test('asks for the extension', () => {
    for (const name of ['a.pdf.exe', 'pdf', 'a.pdf ']) expect(recognisePdf(name, latin1('%PDF-1.7'))).toBeUndefined();
  });
});

describe('endsAsPdf', () => {
  test.each(['%%EOF', 'startxref\n120\n'])('takes %j anywhere in the tail, and not before it', (mark) => {
    expect(endsAsPdf(latin1(mark + ' '.repeat(TAIL_BYTES - mark.length)))).toBe(true);
    expect(endsAsPdf(latin1(mark + ' '.repeat(TAIL_BYTES - mark.length + 1)))).toBe(false);
  });
});

describe('recogniseImage', () => {
  test.each([
    ['image/jpeg', 'jpg', '\u00ff\u00d8\u00ff\u00e0'],
    ['image/png', 'png', '\u0089PNG\r\n\u001a\n'],
    ['image/webp', 'webp', 'RIFF\u0001\u0002\u0003\u0004WEBP'],
  ])('%s by its signature, whatever its name', (mediaType, extension, head) => {
    expect(recogniseImage('x', latin1(head))).toEqual({ mediaType, extension });
    expect(recogniseImage('x', latin1(head).subarray(0, -2))).toBeUndefined();
  });

  test.each(['', '\u00ff\u00d8', 'RIFF\u0001\u0002\u0003\u0004WAVE', 'XXXX\u0001\u0002\u0003\u0004WEBP', 'GIF89a'])(
    'refuses %j',
    (head) => {
      expect(recogniseImage('a.png', latin1(head))).toBeUndefined();
    },
  );
});
