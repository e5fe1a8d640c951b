import { parseNetwork } from '@parcelway/kernel/networks';
import { parseUrl } from '@parcelway/kernel/parse-url';
import { _, Ajv2020 } from 'ajv/dist/2020.js';
import formatsPlugin, { type FormatsPlugin } from 'ajv-formats';
import { formatLengths } from './text.ts';
import { isLogisticsNumber } from './tracking-number.ts';
import { hasVisible, hasVisibleEdges } from './visible.ts';

const addFormats = formatsPlugin as unknown as FormatsPlugin;

function isUrl(value: string, protocols: readonly string[]): boolean {
  return protocols.includes(parseUrl(value)?.protocol ?? '') && /^[\x21-\x7e\u00a0-\uffff]+$/u.test(value);
}

/** Format → what is allowed, in words. */
export const formatMessages: Readonly<Record<string, string>> = {
  date: 'must be a real calendar date written YYYY-MM-DD',
  'iso-date-time': 'must be an ISO 8601 time with offset, such as 2026-01-31T08:00:00+08:00',
  'https-url': 'must be an https:// URL',
  'web-url': 'must be an https:// or http:// URL',
  'ip-network': 'must be an IPv4 or IPv6 address or a network in CIDR notation, such as 203.0.113.7 or 2001:db8::/32',
  identifier: 'must begin and end with a visible character, not with a blank or a zero-width one',
  'logistics-number': 'must have 4 to 64 characters once spaces, hyphens and invisible characters are removed',
  'visible-text': 'must have a visible character',
};

/**
 * True when a number has at most as many decimals as a divisor such as 0.0001. Exact, where the remainder of a division is not:
 * 0.3 is no whole multiple of the double 0.0001.
 */
function isMultiple(divisor: number, value: number): boolean {
  const scale = Math.round(1 / divisor);
  return Math.round(value * scale) / scale === value;
}

/**
 * An ajv with the formats of the contracts. Types are strict: nothing is coerced, nothing is removed, no default is filled in.
 * @param allErrors false: it stops at the first error, so that a hostile value costs no more than a look at it; true: errors come all at
 *   once, with the schema and the value that they are of
 */
export function createAjv(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    verbose: allErrors,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    discriminator: true,
    useDefaults: false,
  });
  addFormats(ajv, { formats: ['date', 'date-time'], keywords: true });
  const dateTime = (ajv.formats['date-time'] as { readonly validate: (value: string) => boolean }).validate;
  const maxInstantLength = formatLengths['iso-date-time'] as number;
  // As RFC 3339, offset required; without the blank that it allows for the T, and without leap seconds, which Date cannot hold.
  ajv.addFormat(
    'iso-date-time',
    (value) => value.length <= maxInstantLength && dateTime(value) && !/\s/.test(value) && !Number.isNaN(Date.parse(value)),
  );
  ajv.addFormat('https-url', (value) => isUrl(value, ['https:']));
  ajv.addFormat('web-url', (value) => isUrl(value, ['https:', 'http:']));
  ajv.addFormat('ip-network', (value) => parseNetwork(value) !== undefined);
  ajv.addFormat('identifier', hasVisibleEdges);
  ajv.addFormat('visible-text', hasVisible);
  ajv.addFormat('logistics-number', isLogisticsNumber);
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    validate: isMultiple,
    error: { message: 'has too many decimals', params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}` },
  });
  return ajv;
}
