import { fedexMod11, luhn, mod7, mod10, mod37and36, s10 } from './check-digits.ts';
import { type Carrier, postsOf } from './posts.ts';

/**
 * How much the form of a number says without its check digit.
 *
 * - `distinctive`: letters, or so many fixed digits that fewer than one in 10,000 random numbers has the form.
 * - `partial`: a short prefix; other carriers or random digits may have the form too.
 * - `common`: hardly more than a length.
 */
export type Form = 'distinctive' | 'partial' | 'common';

/** One number format of one carrier; of several where the number does not say which of them has the parcel. */
export interface NumberFormat {
  readonly name: string;
  /** Best first; empty when the number names nobody that we know, and then the format does not match. */
  readonly carriers: (trackingNumber: string) => readonly Carrier[];
  /** Anchored, and linear in the length; with the groups `body` and `check` where there is a check digit. */
  readonly expression: RegExp;
  /** Returns the right check character of a body; absent where the carrier has none, or none is known. */
  readonly checkDigit?: ((body: string) => string) | undefined;
  readonly form: Form;
  /** Begins the reason of a candidate. */
  readonly description: string;
  /** Ends the reason of a candidate. */
  readonly detail?: (trackingNumber: string) => string;
}

/** Code → name of the carriers that are no posts, or that write other numbers as well. */
export const carrierNames = {
  ups: 'UPS',
  'ups-mail-innovations': 'UPS Mail Innovations',
  fedex: 'FedEx',
  'dhl-express': 'DHL Express',
  'dhl-ecommerce': 'DHL eCommerce',
  amazon: 'Amazon Logistics',
  usps: 'United States Postal Service',
  ontrac: 'OnTrac',
  lasership: 'LaserShip',
  purolator: 'Purolator',
  'canada-post': 'Canada Post',
  gofo: 'GOFO Express',
  uniuni: 'UniUni',
  speedx: 'SpeedX',
  'spee-dee': 'Spee-Dee Delivery',
  canpar: 'Canpar Express',
  landmark: 'Landmark Global',
  'dhl-parcel': 'DHL Paket',
  dpd: 'DPD',
  gls: 'GLS',
  hermes: 'Hermes',
  'la-poste': 'La Poste',
  yodel: 'Yodel',
  evri: 'Evri',
  postnl: 'PostNL',
  bpost: 'bpost',
  'swiss-post': 'Swiss Post',
  inpost: 'InPost',
  posti: 'Posti',
  'sf-express': 'SF Express',
  cainiao: 'Cainiao',
  'australia-post': 'Australia Post',
  yunexpress: 'YunExpress',
  '4px': '4PX',
  yanwen: 'Yanwen',
  'wanb-express': 'WanbExpress',
  sunyou: 'Sunyou',
  yto: 'YTO Express',
  jd: 'JD Logistics',
  'jt-express': 'J&T Express',
  deppon: 'Deppon',
  zto: 'ZTO Express',
  sto: 'STO Express',
  yunda: 'Yunda Express',
  'spx-express': 'SPX Express',
  yamato: 'Yamato Transport',
} as const;

type CarrierCode = keyof typeof carrierNames;

const formatsOf =
  (form: Form) =>
  (
    name: string,
    codes: CarrierCode | readonly CarrierCode[],
    description: string,
    expression: RegExp,
    checkDigit?: NumberFormat['checkDigit'],
  ): NumberFormat => {
    const carriers = [codes].flat().map((code) => ({ code, name: carrierNames[code] }));
    return { name, carriers: () => carriers, expression, checkDigit, form, description };
  };
const distinctive = formatsOf('distinctive');
const partial = formatsOf('partial');
const common = formatsOf('common');

const gs1 = (body: string): string => mod10(body, [3, 1]);
const upsMod10 = (body: string): string => mod10(body, [1, 2]);
const fedexMod10 = (body: string): string => mod10(body, [1, 3]);

/** Every number format that is known; of two equally good candidates the carrier of the earlier format comes first. */
export const formats: readonly NumberFormat[] = [
  // The posts, and carriers that deliver on several continents.
  {
    name: 'UPU S10',
    carriers: postsOf,
    expression: /^[A-Z]{2}(?<body>\d{8})(?<check>\d)[A-Z]{2}$/,
    checkDigit: s10,
    form: 'distinctive',
    description: '13 characters as the Universal Postal Union defines them',
    detail: (trackingNumber) => `country ${trackingNumber.slice(-2)}`,
  },
  distinctive('UPS 1Z', 'ups', '18 characters that start with 1Z', /^1Z(?<body>[0-9A-Z]{15})(?<check>\d)$/, upsMod10),
  partial('UPS waybill', 'ups', 'One letter of a UPS waybill and 10 digits', /^[AHJKTV](?<body>\d{9})(?<check>\d)$/, upsMod10),
  partial('UPS Mail Innovations', 'ups-mail-innovations', 'MI, six digits and up to 22 characters', /^MI\d{6}[0-9A-Z]{1,22}$/),
  common('FedEx Express 12', 'fedex', '12 digits, as FedEx Express writes them', /^(?<body>\d{11})(?<check>\d)$/, fedexMod11),
  common('FedEx Ground 15', 'fedex', '15 digits, as FedEx Ground writes them', /^(?<body>\d{14})(?<check>\d)$/, fedexMod10),
  partial('FedEx SmartPost 20', 'fedex', '20 digits that start with 61', /^(?<body>61\d{17})(?<check>\d)$/, (body) =>
    mod10(`92${body}`, [3, 1]),
  ),
  partial('FedEx Ground 96', 'fedex', '22 digits that start with 96', /^96\d{5}(?<body>\d{14})(?<check>\d)$/, fedexMod10),
  partial('FedEx 34', 'fedex', '34 digits that start with 10, 11 or 96', /^(?:1[01]|96)\d{18}(?<body>\d{13})(?<check>\d)$/, fedexMod11),
  distinctive('FedEx DT', 'fedex', 'DT and 12 digits', /^DT\d{12}$/),
  common(
    'Parcel Select of a partner',
    ['fedex', 'ups-mail-innovations', 'dhl-ecommerce'],
    '22 digits that start with 92612, which partners of USPS use too',
    /^(?<body>92612\d{16})(?<check>\d)$/,
    gs1,
  ),
  common('DHL Express waybill', 'dhl-express', '10 or 11 digits, as DHL Express writes them', /^(?<body>\d{9,10})(?<check>\d)$/, mod7),
  distinctive('DHL Express piece', 'dhl-express', 'JD, JJD or JVGL and 9 or 10 digits', /^J(?:JD|VGL|D)\d{9,10}$/),
  distinctive(
    'DHL eCommerce JD',
    'dhl-ecommerce',
    'JD, JJD or JVGL and the digits of a DHL parcel',
    /^(?:JD\d{18}|JJD\d{16,24}|JVGL\d{14,20})$/,
  ),
  distinctive('DHL eCommerce GM', 'dhl-ecommerce', 'GM, a digit and up to 29 characters', /^GM\d[0-9A-Z]{11,29}$/),
  partial(
    'DHL eCommerce by country',
    'dhl-ecommerce',
    'Two letters of DHL eCommerce and 12 to 20 digits',
    /^(?:LX|RX|UV|CN|SG|TH|IN|HK|MY)\d{12,20}$/,
  ),
  common('DHL eCommerce 14', 'dhl-ecommerce', '14 digits, which DHL eCommerce uses', /^\d{14}$/),
  distinctive('Amazon TBA', 'amazon', 'TBA, TBC or TBM and 12 digits', /^TB[ACM]\d{12}$/),
  partial('Amazon international', 'amazon', 'A, C or F and 10 digits', /^[ACF]\d{10}$/),
  // The United States and Canada.
  partial('USPS IMpb', 'usps', '22 or 26 digits that start with 91 to 95', /^(?<body>9[1-5]\d{19}(?:\d{4})?)(?<check>\d)$/, gs1),
  distinctive(
    'USPS IMpb with the postcode',
    'usps',
    '420, five digits of the postcode, and 22 or 26 digits that start with 91 to 95',
    /^420\d{5}(?<body>9[1-5]\d{19}(?:\d{4})?)(?<check>\d)$/,
    gs1,
  ),
  distinctive(
    'USPS IMpb with the postcode',
    'usps',
    '420, nine digits of the postcode, and 22 digits that start with 91 to 95',
    /^420\d{9}(?<body>9[1-5]\d{19})(?<check>\d)$/,
    gs1,
  ),
  common('USPS 20', 'usps', '20 digits, as USPS wrote them before IMpb', /^(?<body>(?:0[1-9]|13|23|7\d)\d{17})(?<check>\d)$/, gs1),
  common(
    'USPS 20 of a number with 91',
    'usps',
    '20 digits, as USPS wrote them without the 91 before them',
    /^(?<body>(?:0[1-9]|13|23|7\d)\d{17})(?<check>\d)$/,
    (body) => gs1(`91${body}`),
  ),
  common('Canada Post 16', 'canada-post', '16 digits, as Canada Post writes them', /^(?<body>\d{15})(?<check>\d)$/, gs1),
  common('Purolator 12', 'purolator', '12 digits, as Purolator writes them', /^(?<body>[0-5]\d{10})(?<check>\d)$/, luhn),
  partial('Purolator with letters', 'purolator', 'Three letters and nine digits', /^[A-Z]{3}\d{9}$/),
  distinctive('OnTrac C', 'ontrac', 'C and 14 digits', /^C(?<body>\d{13})(?<check>\d)$/, (body) => mod10(`4${body}`, [1, 2])),
  distinctive('OnTrac D', 'ontrac', 'D and 14 digits', /^D(?<body>\d{13})(?<check>\d)$/, (body) => mod10(`5${body}`, [1, 2])),
  distinctive('LaserShip L', 'lasership', 'L, a second letter and eight digits', /^L[AEHINX][1-3]\d{7}$/),
  distinctive('LaserShip 1LS', 'lasership', '1LS and 12 to 15 characters', /^1LS[0-9A-Z]{12,15}$/),
  distinctive('GOFO', 'gofo', 'GFUS and 14 digits', /^GFUS\d{14}$/),
  distinctive('UniUni', 'uniuni', 'UUS and 16 characters', /^UUS[0-9A-Z]{16}$/),
  distinctive('SpeedX', 'speedx', 'SPX, three letters and 12 or 18 digits', /^SPX[A-Z]{3}\d{12}(?:\d{6})?$/),
  distinctive('Spee-Dee', 'spee-dee', 'SP and 18 digits', /^SP\d{18}$/),
  distinctive('Canpar', 'canpar', 'One letter of Canpar and 21 digits', /^[CDKLSUXZ]\d{21}$/),
  distinctive('Landmark Global', 'landmark', 'LTN, eight digits and N1', /^LTN\d{8}N1$/),
  // Europe.
  distinctive(
    'DHL Paket 20',
    'dhl-parcel',
    '20 digits that start with 00340433 or 00340434',
    /^(?<body>0034043[34]\d{11})(?<check>\d)$/,
    gs1,
  ),
  distinctive('DHL Paket JJD', 'dhl-parcel', 'JJD and 13 digits', /^JJD\d{13}$/),
  common('DHL Paket 12', 'dhl-parcel', '12 digits, as the identcode of DHL Paket has them', /^(?<body>\d{11})(?<check>\d)$/, (body) =>
    mod10(body, [4, 9]),
  ),
  common('Hermes 14', 'hermes', '14 digits, as Hermes writes them', /^(?<body>\d{13})(?<check>\d)$/, gs1),
  distinctive('Hermes H', 'hermes', 'H and 19 digits', /^H\d{19}$/),
  partial(
    'DPD 28 with a check letter',
    'dpd',
    '27 digits and a check letter, as a DPD label has them',
    /^(?<body>\d{27})(?<check>[A-Z])$/,
    mod37and36,
  ),
  common(
    'DPD 28 with a check digit',
    'dpd',
    '27 digits and a check digit, as a DPD label has them',
    /^(?<body>\d{27})(?<check>\d)$/,
    mod37and36,
  ),
  partial(
    'DPD 14 with a check letter',
    'dpd',
    '14 digits and a check letter, as DPD writes them',
    /^(?<body>\d{14})(?<check>[A-Z])$/,
    mod37and36,
  ),
  common(
    'DPD 14 with a check digit',
    'dpd',
    '14 digits and a check digit, as DPD writes them',
    /^(?<body>\d{14})(?<check>\d)$/,
    mod37and36,
  ),
  common('DPD 14', 'dpd', '14 digits, which DPD uses', /^\d{14}$/),
  common('GLS 12', 'gls', '12 digits, as GLS writes them', /^(?<body>\d{11})(?<check>\d)$/, (body) => mod10(body, [3, 1], 1)),
  common('GLS 11', 'gls', '11 digits, as GLS writes them without the check digit', /^\d{11}$/),
  common('GLS Track ID', 'gls', 'Eight letters and digits, as a GLS Track ID has them', /^[A-Z](?=[A-Z]{0,6}\d)[0-9A-Z]{7}$/),
  distinctive('Yodel', 'yodel', 'JD or JJD and 16 digits', /^J?JD\d{16}$/),
  distinctive('Evri', 'evri', '16 characters that start with H or T', /^[HT]\d{2}[0-9A-Z]\d{12}$/),
  distinctive('PostNL 3S', 'postnl', '13 or 15 characters that start with 3S', /^3S(?=[0-9A-Z]{11}(?:[0-9A-Z]{2})?$)[A-Z]{1,4}\d+$/),
  distinctive('DHL eCommerce 3S', 'dhl-ecommerce', '3S, three letters and 10 digits', /^3S[A-Z]{3}\d{10}$/),
  distinctive('Colissimo', 'la-poste', '6A, 6C or 8R and 11 digits', /^(?:6A|6C|8R)\d{11}$/),
  partial('La Poste 13', 'la-poste', 'A digit, a letter and 11 digits', /^[2-9][A-Z]\d{11}$/),
  partial('bpost 24', 'bpost', '24 digits that start with 3232 or 3299', /^32(?:32|99)\d{20}$/),
  partial('Swiss Post 18', 'swiss-post', '18 digits that start with 98 or 99', /^9[89]\d{16}$/),
  common('InPost 24', 'inpost', '24 digits that start with 5 or 6', /^[56]\d{23}$/),
  distinctive('Posti', 'posti', 'JJFI or JKFI and 15 to 19 digits', /^J[JK]FI\d{15,19}$/),
  // China, Japan, South-East Asia and Australia.
  distinctive('YunExpress', 'yunexpress', 'YT and 16 digits', /^YT\d{16}$/),
  distinctive('4PX', '4px', '4PX and 10 to 16 digits', /^4PX\d{10,16}(?:[A-Z]{2})?$/),
  distinctive('Cainiao LP', 'cainiao', 'LP and 14 digits', /^LP\d{14}$/),
  partial('4PX by the LP number of Cainiao', '4px', 'LP00 and 12 digits, which 4PX carries for Cainiao', /^LP00\d{12}$/),
  distinctive('Cainiao', 'cainiao', 'CNG or CAINIAO and digits', /^(?:CNG\d{14}|CAINIAO\d{6,20})$/),
  distinctive('Yanwen', 'yanwen', 'Two letters, nine digits and YP', /^[UV][A-Z]\d{9}YP$/),
  distinctive('WanbExpress', 'wanb-express', 'WNB, two letters, 10 digits and YQ', /^WNB[A-Z]{2}\d{10}YQ$/),
  distinctive('Sunyou', 'sunyou', 'SY, two letters and 8 to 11 digits', /^SY[A-Z]{2}\d{8,11}$/),
  distinctive('SF Express', 'sf-express', 'SF and 12 or 13 digits', /^SF\d{12,13}$/),
  common('SF Express 12', 'sf-express', '12 digits, which SF Express uses', /^\d{12}$/),
  distinctive('YTO', 'yto', 'YT and 13 digits', /^YT\d{13}$/),
  distinctive('JD Logistics', 'jd', 'JD and the 12 to 14 characters of JD Logistics', /^JD(?:[A-Z]{1,2}\d{11,12}|\d{13})$/),
  distinctive('J&T', 'jt-express', 'JT and 13 digits', /^JT\d{13}$/),
  distinctive('Deppon', 'deppon', 'DPK or DPL and 12 digits', /^DP[KL]\d{12}$/),
  partial('ZTO 14', 'zto', '14 digits that start with 73 to 78', /^7[3-8]\d{12}$/),
  partial('STO 15', 'sto', '15 digits that start with 77', /^77\d{13}$/),
  common('Yunda 15', 'yunda', '15 digits that start with 3 or 4', /^[34]\d{14}$/),
  distinctive('SPX Express', 'spx-express', 'SPX, two letters of the country and 9 to 15 digits', /^SPX[A-Z]{2}\d{9,15}$/),
  common('Yamato 12', 'yamato', '12 digits, as Yamato Transport writes them', /^(?<body>\d{11})(?<check>\d)$/, mod7),
  partial(
    'eParcel article',
    'australia-post',
    'Three letters and 13 or 15 digits, as an eParcel article has them',
    /^[A-Z]{3}\d{13}(?:\d{2})?$/,
  ),
  partial('eParcel consignment', 'australia-post', 'Three letters and seven digits, as an eParcel consignment has them', /^[A-Z]{3}\d{7}$/),
];
