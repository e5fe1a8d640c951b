import { expect, test } from '@jest/globals';
import { initialProgress } from '../../domain/forecast.ts';
import { contentOf, record } from '../../testing/samples.ts';
import { expiryMessage } from './expiry-messages.ts';

const token = (letter: string): string => letter.repeat(22);
const file = (letter: string): string => `https://h.example/files/${token(letter)}-${token('s')}.pdf`;
const photo = (letter: string) => ({
  id: 1,
  path: 'p',
  url: `https://h.example/photos/${token(letter)}.jpg`,
  sizeByte: 1,
  uploadTime: '',
  uploadTimeMs: 0,
});

test('the message names the files of the forecast, each once, those before a correction too', () => {
  const progress = {
    ...initialProgress(1),
    weighingPhotos: [{ ...photo('a'), expressNo: '' }],
    attachedPhotos: [{ ...photo('b'), imageType: 'package' as const, imageOrder: 1 }],
    exceptions: [{ reason: 'damaged' as const, text: null, photos: [photo('a'), photo('c')], occurredAt: '', occurredAtMs: 0 }],
  };
  const content = contentOf('F1', { shipping_label: file('x'), shipping_note: file('y') });
  const changes = [
    { field: 'shipping_label', from: file('w'), to: file('x') },
    { field: 'items[0].sku_code', from: file('v'), to: 'S' },
    { field: 'shipping_note', from: null, to: file('y') },
  ];
  const corrections = [{ version: 2, at: 5, keyId: 'key_1', changes, hasMoreChanges: false }];
  const message = expiryMessage(
    'forecast.expired',
    { record: record('F1', { progress }), content, corrections: corrections as never },
    2000,
  );
  expect(message).toEqual({
    type: 'forecast.expired',
    time: 2000,
    data: {
      forecast_no: 'F1',
      po_number: 'PO-F1',
      expired_at: '1970-01-01T00:00:02.000+00:00',
      files: [token('x'), token('y'), token('w')],
      photos: [token('a'), token('b'), token('c')],
    },
  });
});

test('a forecast without files names none', () => {
  const forecast = { record: record('F1'), content: contentOf('F1'), corrections: [] };
  expect(expiryMessage('forecast.files_expired', forecast, 1).data).toMatchObject({ files: [], photos: [] });
});
