import type { Sentences } from './sentences.ts';

export const sentences: Sentences = [
  [/^is required for forecast_type 2(?:, the default)?$/, 'is required for direct mail'],
  [/^is required: it says which rows form a forecast$/, 'is required: it says which rows form a parcel'],
  [/^(".*") is not a warehouse in use; .*$/, 'No warehouse in use has the code $1'],
  [/^must be a URL that the upload endpoint returned to this tenant$/, 'must be the URL of a file that you have uploaded here'],
  [/^must have at least 1 element$/, 'must have at least one entry'],
  [/^(must have at (?:least|most) \d+) elements$/, '$1 entries'],
  [/^is in use by another live forecast$/, 'is in use by another live parcel'],
  [/^Row (\d+) of the same forecast has an error$/, 'Row $1 of the same parcel has an error'],
  [/^differs from row (\d+) of the same forecast: /, 'differs from row $1 of the same parcel: '],
  [/^cannot be corrected: .*$/, 'cannot be corrected. Cancel the parcel and submit another one'],
  [/^(The columns ".+" and ".+" both fill \w+); .*$/, '$1. Rename one of them, or ignore it'],
  [/^must begin with %PDF-.*$/, 'is not a PDF, or it is damaged'],
  [/^The forecast has not been dispatched: simulate .*$/, 'The parcel has not been handed to the carrier. Simulate that step first.'],
  [/^No parcel of the forecast was dispatched under the number (".*"): .*$/, 'No parcel was handed to the carrier under the number $1.'],
  [
    /^A forecast with this .+ and different content exists; different are (.+)$/,
    'A parcel with this number and other content exists. Different: $1',
  ],
  [/^A forecast with this .+ and different content exists$/, 'A parcel with this number and other content exists'],
  [/^A forecast with this .+ was cancelled; this submits it again$/, 'A parcel with this number was cancelled; this submits it again'],
  [
    /^The file is not UTF-8; it was read as GB18030\. .*$/,
    'The file is not UTF-8, so it was read as GB18030. Check that all characters are right.',
  ],
  [/^Forecasts name the file \d+: .*$/, 'Parcels use this file. Cancel them, or give them another label or packing list first.'],
  [/^must have %%EOF or .*$/, 'is not complete: the end of the PDF is missing'],
  [/\. (?:An operator can allow|To receive on your own machine, start) [\s\S]*$/, ''],
];
