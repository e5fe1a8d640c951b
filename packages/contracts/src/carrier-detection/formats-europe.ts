import { mod10, mod37and36 } from './check-digits.ts';
import type { NumberFormat } from './number-format.ts';

const dhlParcel = { code: 'dhl-parcel', name: 'DHL Paket' };
const dpd = { code: 'dpd', name: 'DPD' };
const gls = { code: 'gls', name: 'GLS' };
const hermes = { code: 'hermes', name: 'Hermes' };
const laPoste = { code: 'la-poste', name: 'La Poste' };

const gs1 = (body: string): string => mod10(body, [3, 1]);

const germanFormats: readonly NumberFormat[] = [
  {
    name: 'DHL Paket 20',
    carriers: [dhlParcel],
    expression: /^(?<body>0034043[34]\d{11})(?<check>\d)$/,
    checkDigit: gs1,
    form: 'distinctive',
    description: '20 digits that start with 00340433 or 00340434',
  },
  {
    name: 'DHL Paket JJD',
    carriers: [dhlParcel],
    expression: /^JJD\d{13}$/,
    form: 'distinctive',
    description: 'JJD and 13 digits',
  },
  {
    name: 'DHL Paket 12',
    carriers: [dhlParcel],
    expression: /^(?<body>\d{11})(?<check>\d)$/,
    checkDigit: (body) => mod10(body, [4, 9]),
    form: 'common',
    description: '12 digits, as the identcode of DHL Paket has them',
  },
  {
    name: 'Hermes 14',
    carriers: [hermes],
    expression: /^(?<body>\d{13})(?<check>\d)$/,
    checkDigit: gs1,
    form: 'common',
    description: '14 digits, as Hermes writes them',
  },
  {
    name: 'Hermes H',
    carriers: [hermes],
    expression: /^H\d{19}$/,
    form: 'distinctive',
    description: 'H and 19 digits',
  },
];

const parcelNetworks: readonly NumberFormat[] = [
  {
    name: 'DPD 28 with a check letter',
    carriers: [dpd],
    expression: /^(?<body>\d{27})(?<check>[A-Z])$/,
    checkDigit: mod37and36,
    form: 'partial',
    description: '27 digits and a check letter, as a DPD label has them',
  },
  {
    name: 'DPD 28 with a check digit',
    carriers: [dpd],
    expression: /^(?<body>\d{27})(?<check>\d)$/,
    checkDigit: mod37and36,
    form: 'common',
    description: '27 digits and a check digit, as a DPD label has them',
  },
  {
    name: 'DPD 14 with a check letter',
    carriers: [dpd],
    expression: /^(?<body>\d{14})(?<check>[A-Z])$/,
    checkDigit: mod37and36,
    form: 'partial',
    description: '14 digits and a check letter, as DPD writes them',
  },
  {
    name: 'DPD 14 with a check digit',
    carriers: [dpd],
    expression: /^(?<body>\d{14})(?<check>\d)$/,
    checkDigit: mod37and36,
    form: 'common',
    description: '14 digits and a check digit, as DPD writes them',
  },
  {
    name: 'DPD 14',
    carriers: [dpd],
    expression: /^\d{14}$/,
    form: 'common',
    description: '14 digits, which DPD uses',
  },
  {
    name: 'GLS 12',
    carriers: [gls],
    expression: /^(?<body>\d{11})(?<check>\d)$/,
    checkDigit: (body) => mod10(body, [3, 1], 1),
    form: 'common',
    description: '12 digits, as GLS writes them',
  },
  {
    name: 'GLS 11',
    carriers: [gls],
    expression: /^\d{11}$/,
    form: 'common',
    description: '11 digits, as GLS writes them without the check digit',
  },
  {
    name: 'GLS Track ID',
    carriers: [gls],
    expression: /^[A-Z](?=[A-Z]{0,6}\d)[0-9A-Z]{7}$/,
    form: 'common',
    description: 'Eight letters and digits, as a GLS Track ID has them',
  },
];

const nationalFormats: readonly NumberFormat[] = [
  {
    name: 'Yodel',
    carriers: [{ code: 'yodel', name: 'Yodel' }],
    expression: /^J?JD\d{16}$/,
    form: 'distinctive',
    description: 'JD or JJD and 16 digits',
  },
  {
    name: 'Evri',
    carriers: [{ code: 'evri', name: 'Evri' }],
    expression: /^[HT]\d{2}[0-9A-Z]\d{12}$/,
    form: 'distinctive',
    description: '16 characters that start with H or T',
  },
  {
    name: 'PostNL 3S',
    carriers: [{ code: 'postnl', name: 'PostNL' }],
    expression: /^3S(?=[0-9A-Z]{11}(?:[0-9A-Z]{2})?$)[A-Z]{1,4}\d+$/,
    form: 'distinctive',
    description: '13 or 15 characters that start with 3S',
  },
  {
    name: 'DHL eCommerce 3S',
    carriers: [{ code: 'dhl-ecommerce', name: 'DHL eCommerce' }],
    expression: /^3S[A-Z]{3}\d{10}$/,
    form: 'distinctive',
    description: '3S, three letters and 10 digits',
  },
  {
    name: 'Colissimo',
    carriers: [laPoste],
    expression: /^(?:6A|6C|8R)\d{11}$/,
    form: 'distinctive',
    description: '6A, 6C or 8R and 11 digits',
  },
  {
    name: 'La Poste 13',
    carriers: [laPoste],
    expression: /^[2-9][A-Z]\d{11}$/,
    form: 'partial',
    description: 'A digit, a letter and 11 digits',
  },
  {
    name: 'bpost 24',
    carriers: [{ code: 'bpost', name: 'bpost' }],
    expression: /^32(?:32|99)\d{20}$/,
    form: 'partial',
    description: '24 digits that start with 3232 or 3299',
  },
  {
    name: 'Swiss Post 18',
    carriers: [{ code: 'swiss-post', name: 'Swiss Post' }],
    expression: /^9[89]\d{16}$/,
    form: 'partial',
    description: '18 digits that start with 98 or 99',
  },
  {
    name: 'InPost 24',
    carriers: [{ code: 'inpost', name: 'InPost' }],
    expression: /^[56]\d{23}$/,
    form: 'common',
    description: '24 digits that start with 5 or 6',
  },
  {
    name: 'Posti',
    carriers: [{ code: 'posti', name: 'Posti' }],
    expression: /^J[JK]FI\d{15,19}$/,
    form: 'distinctive',
    description: 'JJFI or JKFI and 15 to 19 digits',
  },
];

/** Formats of carriers in Europe. */
export const europeanFormats: readonly NumberFormat[] = [...germanFormats, ...parcelNetworks, ...nationalFormats];
