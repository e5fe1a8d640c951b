import { normaliseTrackingNumber } from '../tracking-number.ts';
import type { Warning } from '../warnings.ts';
import { type Candidate, type Confidence, confidences, MAX_CANDIDATES } from './candidate.ts';
import { carrierNames, formats, type NumberFormat } from './formats.ts';
import { type Carrier, postCodes } from './posts.ts';

const MIN_LENGTH = 4;
const MAX_LENGTH = 64;

type CheckResult = 'right' | 'wrong' | 'none';

/** A format that a number has the form of, and whether the number passes its check. */
interface Match {
  readonly format: NumberFormat;
  readonly carriers: readonly Carrier[];
  readonly check: CheckResult;
}

function checkResult({ checkDigit }: NumberFormat, groups: Readonly<Record<string, string>> | undefined): CheckResult {
  if (checkDigit === undefined) return 'none';
  return checkDigit(groups?.['body'] ?? '') === groups?.['check'] ? 'right' : 'wrong';
}

function matchesOf(trackingNumber: string): Match[] {
  if (trackingNumber.length < MIN_LENGTH || trackingNumber.length > MAX_LENGTH) return [];
  const matches: Match[] = [];
  for (const format of formats) {
    const found = format.expression.exec(trackingNumber);
    if (found === null) continue;
    const carriers = format.carriers(trackingNumber);
    if (carriers.length > 0) matches.push({ format, carriers, check: checkResult(format, found.groups) });
  }
  return matches;
}

function confidenceOf({ format, check }: Match): Confidence {
  if (format.form === 'distinctive') return check === 'right' ? 'high' : 'medium';
  return format.form === 'partial' && check === 'right' ? 'medium' : 'low';
}

function reasonOf({ format, check }: Match, trackingNumber: string): string {
  const checked = check === 'right' ? 'the check digit is right' : 'there is no check digit that we can verify';
  const detail = format.detail === undefined ? '' : `; ${format.detail(trackingNumber)}`;
  return `${format.description}; ${checked}${detail}`;
}

function candidatesOf(match: Match, trackingNumber: string): Candidate[] {
  const confidence = confidenceOf(match);
  const reason = reasonOf(match, trackingNumber);
  return match.carriers.map(({ code, name }, index) => ({
    carrierCode: code,
    carrierName: name,
    // The number does not say which of the carriers it is, so only the usual one may be certain.
    confidence: index > 0 && confidence === 'high' ? 'medium' : confidence,
    reason,
  }));
}

/** Smaller is better: by confidence, and then a verified check digit before none. */
function order({ confidence }: Candidate, { check }: Match): number {
  return confidences.indexOf(confidence) * 2 + (check === 'right' ? 0 : 1);
}

/**
 * The carriers that may have given a tracking number, best first, at most 10 and each only once.
 *
 * - High: the form is distinctive and the check digit is right.
 * - Medium: the form is distinctive and has no known check digit, or it is partial and the check digit is right.
 * - Low: everything else, hardly more than a length.
 *
 * A format whose check digit is wrong gives no candidate. An empty list says only that we know no carrier that writes such
 * numbers: never reject a parcel for it.
 *
 * @param trackingNumber normalised by `normaliseTrackingNumber`; any other text is safe, and rarely has candidates
 */
export function detectCarriers(trackingNumber: string): readonly Candidate[] {
  const found = matchesOf(trackingNumber)
    .filter(({ check }) => check !== 'wrong')
    .flatMap((match) => candidatesOf(match, trackingNumber).map((candidate) => ({ candidate, order: order(candidate, match) })))
    .sort((one, other) => one.order - other.order);
  const best = new Map<string, Candidate>();
  for (const { candidate } of found) if (!best.has(candidate.carrierCode)) best.set(candidate.carrierCode, candidate);
  return [...best.values()].slice(0, MAX_CANDIDATES);
}

/**
 * The name of the format whose check digit is wrong, for a warning that a number may be mistyped; it must never reject.
 *
 * Only when one checked format alone matches in form, that form is distinctive, and no other format explains the number: random
 * digits and numbers that another carrier may have given are no typing mistakes.
 */
export function wrongCheckDigit(trackingNumber: string): string | undefined {
  const matches = matchesOf(trackingNumber);
  const [format, ...others] = new Set(matches.flatMap((match) => (match.check === 'none' ? [] : [match.format.name])));
  if (format === undefined || others.length > 0) return undefined;
  if (matches.some((match) => match.check === 'right' || (match.check === 'none' && match.format.form === 'distinctive'))) return undefined;
  return matches.some((match) => match.check === 'wrong' && match.format.form === 'distinctive') ? format : undefined;
}

const carrierCodes = new Set([...Object.keys(carrierNames), ...postCodes]);

/** True for the code of a carrier whose numbers can be detected, in any case. */
export function isCarrierCode(code: string): boolean {
  return carrierCodes.has(code.toLowerCase());
}

/** True for a text in a form that distinguishes carriers' numbers: more than a length, or with a check digit that is right. */
export function isCarriersForm(text: string): boolean {
  return detectCarriers(normaliseTrackingNumber(text)).some(({ confidence }) => confidence !== 'low');
}

/**
 * Warns when the check digit of a tracking number is wrong. The number is still accepted, because a carrier may have changed its format.
 * @param field path of the field that has the number, or name of the parameter
 * @param trackingNumber normalised by `normaliseTrackingNumber`
 * @returns undefined unless the number has the form of exactly one checked, distinctive format (see `wrongCheckDigit`)
 */
export function checkDigitWarning(field: string, trackingNumber: string): Warning | undefined {
  const format = wrongCheckDigit(trackingNumber);
  if (format === undefined) return undefined;
  return {
    field,
    message: `${field} looks like a number of the format ${format}, but its check digit does not fit; check for a typing mistake`,
  };
}
