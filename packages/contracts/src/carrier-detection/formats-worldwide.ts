import { fedexMod11, mod7, mod10, s10 } from './check-digits.ts';
import type { NumberFormat } from './number-format.ts';
import { postsOf } from './posts.ts';

const ups = { code: 'ups', name: 'UPS' };
const upsMailInnovations = { code: 'ups-mail-innovations', name: 'UPS Mail Innovations' };
const fedex = { code: 'fedex', name: 'FedEx' };
const dhlExpress = { code: 'dhl-express', name: 'DHL Express' };
const dhlEcommerce = { code: 'dhl-ecommerce', name: 'DHL eCommerce' };
const amazon = { code: 'amazon', name: 'Amazon Logistics' };

const upsMod10 = (body: string): string => mod10(body, [1, 2]);
const fedexMod10 = (body: string): string => mod10(body, [1, 3]);

const postal: readonly NumberFormat[] = [
  {
    name: 'UPU S10',
    carriers: postsOf,
    expression: /^[A-Z]{2}(?<body>\d{8})(?<check>\d)[A-Z]{2}$/,
    checkDigit: s10,
    form: 'distinctive',
    description: '13 characters as the Universal Postal Union defines them',
    detail: (trackingNumber) => `country ${trackingNumber.slice(-2)}`,
  },
];

const upsFormats: readonly NumberFormat[] = [
  {
    name: 'UPS 1Z',
    carriers: [ups],
    expression: /^1Z(?<body>[0-9A-Z]{15})(?<check>\d)$/,
    checkDigit: upsMod10,
    form: 'distinctive',
    description: '18 characters that start with 1Z',
  },
  {
    name: 'UPS waybill',
    carriers: [ups],
    expression: /^[AHJKTV](?<body>\d{9})(?<check>\d)$/,
    checkDigit: upsMod10,
    form: 'partial',
    description: 'One letter of a UPS waybill and 10 digits',
  },
  {
    name: 'UPS Mail Innovations',
    carriers: [upsMailInnovations],
    expression: /^MI\d{6}[0-9A-Z]{1,22}$/,
    form: 'partial',
    description: 'MI, six digits and up to 22 characters',
  },
];

const fedexFormats: readonly NumberFormat[] = [
  {
    name: 'FedEx Express 12',
    carriers: [fedex],
    expression: /^(?<body>\d{11})(?<check>\d)$/,
    checkDigit: fedexMod11,
    form: 'common',
    description: '12 digits, as FedEx Express writes them',
  },
  {
    name: 'FedEx Ground 15',
    carriers: [fedex],
    expression: /^(?<body>\d{14})(?<check>\d)$/,
    checkDigit: fedexMod10,
    form: 'common',
    description: '15 digits, as FedEx Ground writes them',
  },
  {
    name: 'FedEx SmartPost 20',
    carriers: [fedex],
    expression: /^(?<body>61\d{17})(?<check>\d)$/,
    checkDigit: (body) => mod10(`92${body}`, [3, 1]),
    form: 'partial',
    description: '20 digits that start with 61',
  },
  {
    name: 'FedEx Ground 96',
    carriers: [fedex],
    expression: /^96\d{5}(?<body>\d{14})(?<check>\d)$/,
    checkDigit: fedexMod10,
    form: 'partial',
    description: '22 digits that start with 96',
  },
  {
    name: 'FedEx 34',
    carriers: [fedex],
    expression: /^(?:1[01]|96)\d{18}(?<body>\d{13})(?<check>\d)$/,
    checkDigit: fedexMod11,
    form: 'partial',
    description: '34 digits that start with 10, 11 or 96',
  },
  {
    name: 'FedEx DT',
    carriers: [fedex],
    expression: /^DT\d{12}$/,
    form: 'distinctive',
    description: 'DT and 12 digits',
  },
  {
    name: 'Parcel Select of a partner',
    carriers: [fedex, upsMailInnovations, dhlEcommerce],
    expression: /^(?<body>92612\d{16})(?<check>\d)$/,
    checkDigit: (body) => mod10(body, [3, 1]),
    form: 'common',
    description: '22 digits that start with 92612, which partners of USPS use too',
  },
];

const dhlFormats: readonly NumberFormat[] = [
  {
    name: 'DHL Express waybill',
    carriers: [dhlExpress],
    expression: /^(?<body>\d{9,10})(?<check>\d)$/,
    checkDigit: mod7,
    form: 'common',
    description: '10 or 11 digits, as DHL Express writes them',
  },
  {
    name: 'DHL Express piece',
    carriers: [dhlExpress],
    expression: /^J(?:JD|VGL|D)\d{9,10}$/,
    form: 'distinctive',
    description: 'JD, JJD or JVGL and 9 or 10 digits',
  },
  {
    name: 'DHL eCommerce JD',
    carriers: [dhlEcommerce],
    expression: /^(?:JD\d{18}|JJD\d{16,24}|JVGL\d{14,20})$/,
    form: 'distinctive',
    description: 'JD, JJD or JVGL and the digits of a DHL parcel',
  },
  {
    name: 'DHL eCommerce GM',
    carriers: [dhlEcommerce],
    expression: /^GM\d[0-9A-Z]{11,29}$/,
    form: 'distinctive',
    description: 'GM, a digit and up to 29 characters',
  },
  {
    name: 'DHL eCommerce by country',
    carriers: [dhlEcommerce],
    expression: /^(?:LX|RX|UV|CN|SG|TH|IN|HK|MY)\d{12,20}$/,
    form: 'partial',
    description: 'Two letters of DHL eCommerce and 12 to 20 digits',
  },
  {
    name: 'DHL eCommerce 14',
    carriers: [dhlEcommerce],
    expression: /^\d{14}$/,
    form: 'common',
    description: '14 digits, which DHL eCommerce uses',
  },
];

const amazonFormats: readonly NumberFormat[] = [
  {
    name: 'Amazon TBA',
    carriers: [amazon],
    expression: /^TB[ACM]\d{12}$/,
    form: 'distinctive',
    description: 'TBA, TBC or TBM and 12 digits',
  },
  {
    name: 'Amazon international',
    carriers: [amazon],
    expression: /^[ACF]\d{10}$/,
    form: 'partial',
    description: 'A, C or F and 10 digits',
  },
];

/** Formats of the posts and of the carriers that deliver on several continents. */
export const worldwideFormats: readonly NumberFormat[] = [...postal, ...upsFormats, ...fedexFormats, ...dhlFormats, ...amazonFormats];
