import { luhn, mod10 } from './check-digits.ts';
import type { NumberFormat } from './number-format.ts';

const usps = { code: 'usps', name: 'United States Postal Service' };
const ontrac = { code: 'ontrac', name: 'OnTrac' };
const lasership = { code: 'lasership', name: 'LaserShip' };
const purolator = { code: 'purolator', name: 'Purolator' };

const gs1 = (body: string): string => mod10(body, [3, 1]);

const uspsFormats: readonly NumberFormat[] = [
  {
    name: 'USPS IMpb',
    carriers: [usps],
    expression: /^(?<body>9[1-5]\d{19}(?:\d{4})?)(?<check>\d)$/,
    checkDigit: gs1,
    form: 'partial',
    description: '22 or 26 digits that start with 91 to 95',
  },
  {
    name: 'USPS IMpb with the postcode',
    carriers: [usps],
    expression: /^420\d{5}(?<body>9[1-5]\d{19}(?:\d{4})?)(?<check>\d)$/,
    checkDigit: gs1,
    form: 'distinctive',
    description: '420, five digits of the postcode, and 22 or 26 digits that start with 91 to 95',
  },
  {
    name: 'USPS IMpb with the postcode',
    carriers: [usps],
    expression: /^420\d{9}(?<body>9[1-5]\d{19})(?<check>\d)$/,
    checkDigit: gs1,
    form: 'distinctive',
    description: '420, nine digits of the postcode, and 22 digits that start with 91 to 95',
  },
  {
    name: 'USPS 20',
    carriers: [usps],
    expression: /^(?<body>(?:0[1-9]|13|23|7\d)\d{17})(?<check>\d)$/,
    checkDigit: gs1,
    form: 'common',
    description: '20 digits, as USPS wrote them before IMpb',
  },
  {
    name: 'USPS 20 of a number with 91',
    carriers: [usps],
    expression: /^(?<body>(?:0[1-9]|13|23|7\d)\d{17})(?<check>\d)$/,
    checkDigit: (body) => gs1(`91${body}`),
    form: 'common',
    description: '20 digits, as USPS wrote them without the 91 before them',
  },
];

const otherFormats: readonly NumberFormat[] = [
  {
    name: 'Canada Post 16',
    carriers: [{ code: 'canada-post', name: 'Canada Post' }],
    expression: /^(?<body>\d{15})(?<check>\d)$/,
    checkDigit: gs1,
    form: 'common',
    description: '16 digits, as Canada Post writes them',
  },
  {
    name: 'Purolator 12',
    carriers: [purolator],
    expression: /^(?<body>[0-5]\d{10})(?<check>\d)$/,
    checkDigit: luhn,
    form: 'common',
    description: '12 digits, as Purolator writes them',
  },
  {
    name: 'Purolator with letters',
    carriers: [purolator],
    expression: /^[A-Z]{3}\d{9}$/,
    form: 'partial',
    description: 'Three letters and nine digits',
  },
  {
    name: 'OnTrac C',
    carriers: [ontrac],
    expression: /^C(?<body>\d{13})(?<check>\d)$/,
    checkDigit: (body) => mod10(`4${body}`, [1, 2]),
    form: 'distinctive',
    description: 'C and 14 digits',
  },
  {
    name: 'OnTrac D',
    carriers: [ontrac],
    expression: /^D(?<body>\d{13})(?<check>\d)$/,
    checkDigit: (body) => mod10(`5${body}`, [1, 2]),
    form: 'distinctive',
    description: 'D and 14 digits',
  },
  {
    name: 'LaserShip L',
    carriers: [lasership],
    expression: /^L[AEHINX][1-3]\d{7}$/,
    form: 'distinctive',
    description: 'L, a second letter and eight digits',
  },
  {
    name: 'LaserShip 1LS',
    carriers: [lasership],
    expression: /^1LS[0-9A-Z]{12,15}$/,
    form: 'distinctive',
    description: '1LS and 12 to 15 characters',
  },
  {
    name: 'GOFO',
    carriers: [{ code: 'gofo', name: 'GOFO Express' }],
    expression: /^GFUS\d{14}$/,
    form: 'distinctive',
    description: 'GFUS and 14 digits',
  },
  {
    name: 'UniUni',
    carriers: [{ code: 'uniuni', name: 'UniUni' }],
    expression: /^UUS[0-9A-Z]{16}$/,
    form: 'distinctive',
    description: 'UUS and 16 characters',
  },
  {
    name: 'SpeedX',
    carriers: [{ code: 'speedx', name: 'SpeedX' }],
    expression: /^SPX[A-Z]{3}\d{12}(?:\d{6})?$/,
    form: 'distinctive',
    description: 'SPX, three letters and 12 or 18 digits',
  },
  {
    name: 'Spee-Dee',
    carriers: [{ code: 'spee-dee', name: 'Spee-Dee Delivery' }],
    expression: /^SP\d{18}$/,
    form: 'distinctive',
    description: 'SP and 18 digits',
  },
  {
    name: 'Canpar',
    carriers: [{ code: 'canpar', name: 'Canpar Express' }],
    expression: /^[CDKLSUXZ]\d{21}$/,
    form: 'distinctive',
    description: 'One letter of Canpar and 21 digits',
  },
  {
    name: 'Landmark Global',
    carriers: [{ code: 'landmark', name: 'Landmark Global' }],
    expression: /^LTN\d{8}N1$/,
    form: 'distinctive',
    description: 'LTN, eight digits and N1',
  },
];

/** Formats of carriers in the United States and Canada. */
export const northAmericanFormats: readonly NumberFormat[] = [...uspsFormats, ...otherFormats];
