import { expect, test } from '@jest/globals';
import { photoTokensIn } from './photo-tokens.ts';

const token = (last: string) => `${'a'.repeat(21)}${last}`;
const url = (last: string, extension = 'jpg') => `https://x.example/photos/${token(last)}.${extension}`;

test('finds photos of forecasts and of reports at any depth, each once', () => {
  const progress = {
    weighingPhotos: [{ id: 1, path: 'photo/1', url: url('1') }],
    exceptions: [{ photos: [{ id: 2, path: 'photo/2', url: url('2', 'png') }] }],
    attachedPhotos: [{ id: 1, path: 'photo/1', url: url('1') }],
  };
  const event = { detail: { photo: { id: 3, image_path: 'photo/3', image_url: url('3', 'webp') } } };
  expect(photoTokensIn({ progress, event })).toEqual([token('1'), token('2'), token('3')]);
});

test('takes no text for a photo', () => {
  expect(
    photoTokensIn({
      text: url('1'),
      photos: [
        { path: 'photo/1', url: url('1') },
        { id: 1, url: url('1') },
      ],
    }),
  ).toEqual([]);
  expect(photoTokensIn({ id: 1, path: 'photo/1', url: `${url('1')}/other` })).toEqual([]);
  expect(photoTokensIn({ id: 1, path: 'photo/1', url: 5 })).toEqual([]);
  expect(photoTokensIn(null)).toEqual([]);
});
