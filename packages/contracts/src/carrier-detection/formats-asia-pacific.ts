import { mod7 } from './check-digits.ts';
import type { NumberFormat } from './number-format.ts';

const sfExpress = { code: 'sf-express', name: 'SF Express' };
const cainiao = { code: 'cainiao', name: 'Cainiao' };
const australiaPost = { code: 'australia-post', name: 'Australia Post' };

const crossBorderFormats: readonly NumberFormat[] = [
  {
    name: 'YunExpress',
    carriers: [{ code: 'yunexpress', name: 'YunExpress' }],
    expression: /^YT\d{16}$/,
    form: 'distinctive',
    description: 'YT and 16 digits',
  },
  {
    name: '4PX',
    carriers: [{ code: '4px', name: '4PX' }],
    expression: /^4PX\d{10,16}(?:[A-Z]{2})?$/,
    form: 'distinctive',
    description: '4PX and 10 to 16 digits',
  },
  {
    name: 'Cainiao LP',
    carriers: [cainiao],
    expression: /^LP\d{14}$/,
    form: 'distinctive',
    description: 'LP and 14 digits',
  },
  {
    name: '4PX by the LP number of Cainiao',
    carriers: [{ code: '4px', name: '4PX' }],
    expression: /^LP00\d{12}$/,
    form: 'partial',
    description: 'LP00 and 12 digits, which 4PX carries for Cainiao',
  },
  {
    name: 'Cainiao',
    carriers: [cainiao],
    expression: /^(?:CNG\d{14}|CAINIAO\d{6,20})$/,
    form: 'distinctive',
    description: 'CNG or CAINIAO and digits',
  },
  {
    name: 'Yanwen',
    carriers: [{ code: 'yanwen', name: 'Yanwen' }],
    expression: /^[UV][A-Z]\d{9}YP$/,
    form: 'distinctive',
    description: 'Two letters, nine digits and YP',
  },
  {
    name: 'WanbExpress',
    carriers: [{ code: 'wanb-express', name: 'WanbExpress' }],
    expression: /^WNB[A-Z]{2}\d{10}YQ$/,
    form: 'distinctive',
    description: 'WNB, two letters, 10 digits and YQ',
  },
  {
    name: 'Sunyou',
    carriers: [{ code: 'sunyou', name: 'Sunyou' }],
    expression: /^SY[A-Z]{2}\d{8,11}$/,
    form: 'distinctive',
    description: 'SY, two letters and 8 to 11 digits',
  },
];

const chineseFormats: readonly NumberFormat[] = [
  {
    name: 'SF Express',
    carriers: [sfExpress],
    expression: /^SF\d{12,13}$/,
    form: 'distinctive',
    description: 'SF and 12 or 13 digits',
  },
  {
    name: 'SF Express 12',
    carriers: [sfExpress],
    expression: /^\d{12}$/,
    form: 'common',
    description: '12 digits, which SF Express uses',
  },
  {
    name: 'YTO',
    carriers: [{ code: 'yto', name: 'YTO Express' }],
    expression: /^YT\d{13}$/,
    form: 'distinctive',
    description: 'YT and 13 digits',
  },
  {
    name: 'JD Logistics',
    carriers: [{ code: 'jd', name: 'JD Logistics' }],
    expression: /^JD(?:[A-Z]{1,2}\d{11,12}|\d{13})$/,
    form: 'distinctive',
    description: 'JD and the 12 to 14 characters of JD Logistics',
  },
  {
    name: 'J&T',
    carriers: [{ code: 'jt-express', name: 'J&T Express' }],
    expression: /^JT\d{13}$/,
    form: 'distinctive',
    description: 'JT and 13 digits',
  },
  {
    name: 'Deppon',
    carriers: [{ code: 'deppon', name: 'Deppon' }],
    expression: /^DP[KL]\d{12}$/,
    form: 'distinctive',
    description: 'DPK or DPL and 12 digits',
  },
  {
    name: 'ZTO 14',
    carriers: [{ code: 'zto', name: 'ZTO Express' }],
    expression: /^7[3-8]\d{12}$/,
    form: 'partial',
    description: '14 digits that start with 73 to 78',
  },
  {
    name: 'STO 15',
    carriers: [{ code: 'sto', name: 'STO Express' }],
    expression: /^77\d{13}$/,
    form: 'partial',
    description: '15 digits that start with 77',
  },
  {
    name: 'Yunda 15',
    carriers: [{ code: 'yunda', name: 'Yunda Express' }],
    expression: /^[34]\d{14}$/,
    form: 'common',
    description: '15 digits that start with 3 or 4',
  },
];

const regionalFormats: readonly NumberFormat[] = [
  {
    name: 'SPX Express',
    carriers: [{ code: 'spx-express', name: 'SPX Express' }],
    expression: /^SPX[A-Z]{2}\d{9,15}$/,
    form: 'distinctive',
    description: 'SPX, two letters of the country and 9 to 15 digits',
  },
  {
    name: 'Yamato 12',
    carriers: [{ code: 'yamato', name: 'Yamato Transport' }],
    expression: /^(?<body>\d{11})(?<check>\d)$/,
    checkDigit: mod7,
    form: 'common',
    description: '12 digits, as Yamato Transport writes them',
  },
  {
    name: 'eParcel article',
    carriers: [australiaPost],
    expression: /^[A-Z]{3}\d{13}(?:\d{2})?$/,
    form: 'partial',
    description: 'Three letters and 13 or 15 digits, as an eParcel article has them',
  },
  {
    name: 'eParcel consignment',
    carriers: [australiaPost],
    expression: /^[A-Z]{3}\d{7}$/,
    form: 'partial',
    description: 'Three letters and seven digits, as an eParcel consignment has them',
  },
];

/** Formats of carriers from China, and in Japan, South-East Asia and Australia. */
export const asiaPacificFormats: readonly NumberFormat[] = [...crossBorderFormats, ...chineseFormats, ...regionalFormats];
