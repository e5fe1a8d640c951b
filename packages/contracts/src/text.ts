import Type from 'typebox';
import { forecastStatuses } from './forecast-status.ts';
import { HS_CODE_MESSAGE, HS_CODE_PATTERN } from './hs-code.ts';

/*
 * Building blocks of the schemas. Each pattern has a sentence for people, because a regular expression in an error
 * message helps nobody.
 */

/** Control characters, as part of a character class. */
export const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

/** Text without control characters. */
export const TEXT_PATTERN = `^[^${CONTROL}]*$`;
/** An event or record identifier chosen by an outside system. */
export const EXTERNAL_ID_PATTERN = '^[A-Za-z0-9._:@/+-]{1,128}$';
/** An identifier of an event, which is also used in paths: not dots alone, which mean a folder there. */
export const EVENT_ID_PATTERN = '^\\.*[A-Za-z0-9_:@/+-][A-Za-z0-9._:@/+-]*$';
/** A code such as a warehouse or carrier code. */
export const CODE_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]*$';
/** A carrier code, or `*` for every carrier. */
export const CARRIER_PATTERN = '^(\\*|[A-Za-z0-9][A-Za-z0-9._-]*)$';
/** A key or a secret. Some vendors have secrets beyond ASCII. */
export const CREDENTIAL_PATTERN = '^[^\\x00-\\x20\\x7f]+$';
/** Id of a connection, which is the last part of the address of its pushes. */
export const CONNECTION_ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$';
/** Address of an interface, to which paths are added. */
export const BASE_URL_PATTERN = '^https?://[^\\s?#@]+$';
/** Status of a forecast in a query: its integer or its name. */
export const FORECAST_STATUS_PATTERN = `^([1-7]|${Object.keys(forecastStatuses).join('|')})$`;
const anyStatus = `(?:[1-7]|${Object.keys(forecastStatuses).join('|')})`;
/** One or several statuses of a forecast in a query, separated by commas. */
export const FORECAST_STATUSES_PATTERN = `^${anyStatus}(?:,${anyStatus}){0,6}$`;
/** Name of an operator. */
export const OPERATOR_NAME_PATTERN = '^[a-z0-9-]{1,32}$';
/** A country: ISO 3166-1 alpha-2. */
export const COUNTRY_PATTERN = '^[A-Z]{2}$';
/** The last four digits of a phone number. */
export const FOUR_DIGITS_PATTERN = '^[0-9]{4}$';
/** A postcode of any country. */
export const POSTCODE_PATTERN = '^[A-Za-z0-9](?:[A-Za-z0-9 -]{0,18}[A-Za-z0-9])?$';
/** Local time of a carrier's node. */
export const LOCAL_TIME_PATTERN = '^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}$';
/** Time zone of a carrier's node. */
export const TIME_ZONE_PATTERN = '^\\(GMT[+-][0-9]{2}:[0-9]{2}\\)$';
/** Value of an HTTP header: visible ASCII, blanks only between. */
export const HEADER_VALUE_PATTERN = '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$';
/** Position of a message in a partition of a topic; text, because it may exceed what a double holds. */
export const OFFSET_PATTERN = '^(0|[1-9][0-9]{0,18})$';
/** An integer from 1 to 25 in a query, where everything is text. */
export const INTEGER_TO_25_PATTERN = '^([1-9]|1[0-9]|2[0-5])$';
/** An integer from 1 to 100 in a query. */
export const INTEGER_TO_100_PATTERN = '^([1-9]|[1-9][0-9]|100)$';
/** An integer from 1 to 1000 in a query. */
export const INTEGER_TO_1000_PATTERN = '^([1-9][0-9]{0,2}|1000)$';
/** An integer from 1 to 9999 in a query. */
export const INTEGER_TO_9999_PATTERN = '^[1-9][0-9]{0,3}$';

/** true or false in a query. Documents describe it as a boolean. */
export const BOOLEAN_PATTERN = '^(true|false)$';

/** Pattern of an integer in a query → the most that it allows; the least is 1. Documents describe them as integers. */
export const integerPatternMaximum: Readonly<Record<string, number>> = {
  [INTEGER_TO_25_PATTERN]: 25,
  [INTEGER_TO_100_PATTERN]: 100,
  [INTEGER_TO_1000_PATTERN]: 1000,
  [INTEGER_TO_9999_PATTERN]: 9999,
};

/** Pattern → most characters of a text that it matches, for those that bound it by themselves. */
export const patternLengths: Readonly<Record<string, number>> = {
  [EXTERNAL_ID_PATTERN]: 128,
  [FORECAST_STATUS_PATTERN]: Math.max(...Object.keys(forecastStatuses).map((name) => name.length)),
  [FORECAST_STATUSES_PATTERN]: 7 * (Math.max(...Object.keys(forecastStatuses).map((name) => name.length)) + 1) - 1,
  [OPERATOR_NAME_PATTERN]: 32,
  [COUNTRY_PATTERN]: 2,
  [FOUR_DIGITS_PATTERN]: 4,
  [POSTCODE_PATTERN]: 20,
  [LOCAL_TIME_PATTERN]: 19,
  [TIME_ZONE_PATTERN]: 11,
  [BOOLEAN_PATTERN]: 5,
  [OFFSET_PATTERN]: 19,
  ...Object.fromEntries(Object.entries(integerPatternMaximum).map(([pattern, most]) => [pattern, String(most).length])),
};

/** Format of a time with offset (ISO 8601). */
export const INSTANT_FORMAT = 'iso-date-time';

/** Format → most characters of a text that has it, for those that bound it by themselves. */
export const formatLengths: Readonly<Record<string, number>> = {
  date: 10,
  // RFC 3339 does not bound the fraction of a second; what is stored and passed on as it was written needs a bound.
  [INSTANT_FORMAT]: 40,
};

/** Pattern → what is allowed, in words. */
export const patternMessages: Readonly<Record<string, string>> = {
  [TEXT_PATTERN]: 'must not contain control characters',
  [HS_CODE_PATTERN]: HS_CODE_MESSAGE,
  [EXTERNAL_ID_PATTERN]: 'must have 1 to 128 characters out of letters, digits and . _ : @ / + -',
  [EVENT_ID_PATTERN]: 'must have only letters, digits and . _ : @ / + -, and not dots alone',
  [CODE_PATTERN]: 'must start with a letter or digit and contain only letters, digits and . _ -',
  [CARRIER_PATTERN]: 'must be * or a carrier code: it starts with a letter or digit, then only letters, digits and . _ -',
  [CREDENTIAL_PATTERN]: 'must not contain blanks and control characters',
  [CONNECTION_ID_PATTERN]: 'must have 1 to 64 letters, digits, _ and -, and start with a letter or digit',
  [BASE_URL_PATTERN]: 'must be an http(s) address without user name, query and fragment',
  [FORECAST_STATUS_PATTERN]: `must be an integer from 1 to 7 or one of ${Object.keys(forecastStatuses).join(', ')}`,
  [FORECAST_STATUSES_PATTERN]: `must be one to seven of the integers 1 to 7 or of ${Object.keys(forecastStatuses).join(', ')}, separated by commas`,
  [HEADER_VALUE_PATTERN]: 'must be visible ASCII characters, with blanks only between them',
  [OFFSET_PATTERN]: 'must be an offset: 1 to 19 digits without a leading zero',
  [LOCAL_TIME_PATTERN]: 'must be a time written yyyy-MM-dd HH:mm:ss, such as 2026-01-31 08:00:00',
  [OPERATOR_NAME_PATTERN]: 'must have 1 to 32 characters out of a to z, 0 to 9 and -',
  [COUNTRY_PATTERN]: 'must be a country of two capital letters (ISO 3166-1), such as DE',
  [FOUR_DIGITS_PATTERN]: 'must have four digits',
  [POSTCODE_PATTERN]: 'must be a postcode of 1 to 20 letters, digits, blanks and hyphens',
  [BOOLEAN_PATTERN]: 'must be true or false',
  [TIME_ZONE_PATTERN]: 'must be a time zone such as (GMT+08:00)',
  ...Object.fromEntries(Object.entries(integerPatternMaximum).map(([pattern, most]) => [pattern, `must be an integer from 1 to ${most}`])),
};

/** Free text of `min` to `max` characters without control characters. */
export const text = (min: number, max: number, description: string) =>
  Type.String({ minLength: min, maxLength: max, pattern: TEXT_PATTERN, description });

/** Free text of 1 to `max` characters, one of which can be seen. */
export const visibleText = (max: number, description: string) =>
  Type.String({
    minLength: 1,
    maxLength: max,
    pattern: TEXT_PATTERN,
    format: 'visible-text',
    description: `${description}; has a visible character`,
  });

/** Text that is compared exactly: no control characters, and characters at both edges that can be seen. */
export const identifier = (min: number, max: number, description: string) =>
  Type.String({
    minLength: min,
    maxLength: max,
    pattern: TEXT_PATTERN,
    format: 'identifier',
    description: `${description}; begins and ends with a visible character`,
  });

/** A logistics number, compared in upper case without spaces, hyphens and invisible characters; what is left has 4 to 64 characters. */
export const logisticsNumber = (description: string) =>
  Type.String({ maxLength: 200, pattern: TEXT_PATTERN, format: 'logistics-number', description });

/** A day from the years 2000 to 2100. */
export const day = (description: string) =>
  Type.String({ format: 'date', formatMinimum: '2000-01-01', formatMaximum: '2100-12-31', description });

/** An `https://` URL of at most 2048 characters. */
export const httpsUrl = (description: string) => Type.String({ maxLength: 2048, format: 'https-url', description });

/** An `https://` or `http://` URL of at most 2048 characters. */
export const webUrl = (description: string) => Type.String({ maxLength: 2048, format: 'web-url', description });

/** An instant, ISO 8601 with offset. */
export const instant = (description: string) => Type.String({ format: INSTANT_FORMAT, description });

/** An integer in a query, from 1 to what `pattern` (one of {@link integerPatternMaximum}) allows. */
export const integerInQuery = (pattern: string, absent: number, description: string) =>
  Type.String({ pattern, default: String(absent), description });

/** Where a list goes on, in a query. */
export const cursorInQuery = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 512, description }));

/** `true` or `false` in a query. */
export const booleanInQuery = (description: string) => Type.Optional(Type.String({ pattern: BOOLEAN_PATTERN, description }));

/** Query parameters of a paged list. @param size default page size */
export const pageQuery = (size: number) => ({
  limit: Type.Optional(integerInQuery(INTEGER_TO_100_PATTERN, size, `Page size, 1 to 100; default ${size}`)),
  cursor: cursorInQuery('`next_cursor` of the previous page'),
});

/** A warehouse code as a caller writes it. */
export const warehouseCode = (description: string) => identifier(1, 32, description);

/** A value or null. */
export const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Where the next page of a list begins. */
export const nextCursor = nullable(Type.String({ description: 'null on the last page' }));

/** One of a closed list of strings. */
export const oneOf = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description });
