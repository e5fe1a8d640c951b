import Type from 'typebox';

/*
 * Building blocks of the schemas. Each pattern has a sentence for people, because a regular expression in an error
 * message helps nobody.
 */

const CONTROL = '\\u0000-\\u001f\\u007f-\\u009f';

/** Text without control characters. */
export const TEXT_PATTERN = `^[^${CONTROL}]*$`;
/** Text without control characters and without blanks at an edge. */
export const EXACT_PATTERN = `^(?!\\s)[^${CONTROL}]*(?<!\\s)$`;
/** 4 to 64 characters once spaces and hyphens are removed. */
export const TRACKING_NUMBER_PATTERN = `^[ -]*(?:[^\\s${CONTROL}-][ -]*){4,64}$`;
/** 6 to 13 digits once dots and spaces are removed. */
export const HS_CODE_PATTERN = '^[. ]*(?:[0-9][. ]*){6,13}$';
/** An event or record identifier chosen by an outside system. */
export const EXTERNAL_ID_PATTERN = '^[A-Za-z0-9._:@/+-]{1,128}$';
/** A code such as a warehouse or carrier code. */
export const CODE_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]*$';

/** Pattern → what is allowed, in words. */
export const patternMessages: Readonly<Record<string, string>> = {
  [TEXT_PATTERN]: 'must not contain control characters',
  [EXACT_PATTERN]: 'must not contain control characters or begin or end with a blank',
  [TRACKING_NUMBER_PATTERN]: 'must have 4 to 64 characters once spaces and hyphens are removed, none of them a control character',
  [HS_CODE_PATTERN]: 'must have 6 to 13 digits; dots and spaces may separate them',
  [EXTERNAL_ID_PATTERN]: 'must have 1 to 128 characters out of letters, digits and . _ : @ / + -',
  [CODE_PATTERN]: 'must start with a letter or digit and contain only letters, digits and . _ -',
};

/** Free text of `min` to `max` characters without control characters. */
export const text = (min: number, max: number, description: string) =>
  Type.String({ minLength: min, maxLength: max, pattern: TEXT_PATTERN, description });

/** Text that is compared exactly: no control characters, no blanks at an edge. */
export const exactText = (min: number, max: number, description: string) =>
  Type.String({ minLength: min, maxLength: max, pattern: EXACT_PATTERN, description });

/** An `https://` URL of at most 2048 characters. */
export const httpsUrl = (description: string) => Type.String({ maxLength: 2048, format: 'https-url', description });

/** An `https://` or `http://` URL of at most 2048 characters. */
export const webUrl = (description: string) => Type.String({ maxLength: 2048, format: 'web-url', description });

/** An instant, ISO 8601 with offset. */
export const instant = (description: string) => Type.String({ format: 'iso-date-time', description });

/** A warehouse code as a caller writes it. */
export const warehouseCode = (description: string) => exactText(1, 32, description);

/** A value or null. */
export const nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** One of a closed list of strings. */
export const oneOf = <const T extends readonly string[]>(values: T, description: string) =>
  Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description });
