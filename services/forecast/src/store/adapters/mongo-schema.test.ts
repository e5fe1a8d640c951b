import { expect, test } from '@jest/globals';
import { forecast } from '../../testing/store-under-test.ts';
import { toDocument } from './mongo-forecast-documents.ts';
import { forecasts } from './mongo-schema.ts';

test('the collection declares every field of a new forecast', () => {
  const document = toDocument(forecast({ no: 'F1', claims: ['AB12'] }), 1, 2);
  expect(Object.keys(forecasts.schema.paths)).toEqual(expect.arrayContaining(Object.keys(document)));
});
