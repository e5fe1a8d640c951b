import { fedexMod11, luhn, mod7, mod10, mod37and36, s10 } from './check-digits.ts';
import known from './formats.json' with { type: 'json' };
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
export const carrierNames: Readonly<Record<string, string>> = known.carriers;

const gs1 = (body: string): string => mod10(body, [3, 1]);

/** Name → the check digit, for the formats in formats.json. */
const checkDigits: Readonly<Record<string, (body: string) => string>> = {
  gs1,
  'usps-91': (body) => gs1(`91${body}`),
  'fedex-smartpost': (body) => gs1(`92${body}`),
  'fedex-ground': (body) => mod10(body, [1, 3]),
  'fedex-express': fedexMod11,
  ups: (body) => mod10(body, [1, 2]),
  'ontrac-c': (body) => mod10(`4${body}`, [1, 2]),
  'ontrac-d': (body) => mod10(`5${body}`, [1, 2]),
  identcode: (body) => mod10(body, [4, 9]),
  gls: (body) => mod10(body, [3, 1], 1),
  luhn,
  mod7,
  'mod37-36': mod37and36,
};

/** Every number format that is known; of two equally good candidates the carrier of the earlier format comes first. */
export const formats: readonly NumberFormat[] = [
  {
    name: 'UPU S10',
    carriers: postsOf,
    expression: /^[A-Z]{2}(?<body>\d{8})(?<check>\d)[A-Z]{2}$/,
    checkDigit: s10,
    form: 'distinctive',
    description: '13 characters as the Universal Postal Union defines them',
    detail: (trackingNumber) => `country ${trackingNumber.slice(-2)}`,
  },
  ...known.formats.map(({ name, carriers: codes, form, description, expression, checkDigit }): NumberFormat => {
    const carriers = codes.map((code) => ({ code, name: carrierNames[code] ?? code }));
    return {
      ...{ name, description, form: form as Form, carriers: () => carriers, expression: new RegExp(expression) },
      checkDigit: checkDigit === undefined ? undefined : checkDigits[checkDigit],
    };
  }),
];
