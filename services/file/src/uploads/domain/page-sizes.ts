import type { PageFinding } from '@parcelway/contracts/file-findings';

/** Width and height of a page as it is shown, in whole millimetres. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** What is unusual about the sizes of pages. */
export interface UnusualSizes {
  /** The first page that does not fit what labels and packing lists are printed on. */
  readonly unusual?: PageFinding;
  /** The first page whose size differs from that of page 1. */
  readonly differing?: PageFinding;
}

/** The shorter side of Letter and the longer side of A4, with some room for what programs round. */
const MAX_SHORT_SIDE = 220;
const MAX_LONG_SIDE = 300;
/** Rolls are cut at any length, within reason. */
const MAX_LENGTH = 1000;
/** The smallest labels that printers take. */
const MIN_SIDE = 20;
/** 100 × 150 mm and 4 × 6 inches differ by so much, and are the same to a printer. */
const TOLERANCE = 5;

const POINTS_PER_INCH = 72;
const MILLIMETRES_PER_INCH = 25.4;

/** @param points a length as PDF has it, 1/72 inch @returns whole millimetres */
export function millimetres(points: number): number {
  return Math.round((points / POINTS_PER_INCH) * MILLIMETRES_PER_INCH);
}

const longSide = ({ width, height }: PageSize): number => Math.max(width, height);
const shortSide = ({ width, height }: PageSize): number => Math.min(width, height);

/**
 * True when neither a label printer (sheets around 100 × 150 mm, rolls of 50 to 110 mm) nor an office printer (A4, A5, A6, Letter) prints the
 * page without scaling it.
 */
function isUnusual(size: PageSize): boolean {
  const [long, short] = [longSide(size), shortSide(size)];
  return short < MIN_SIDE || long > MAX_LENGTH || (short > MAX_SHORT_SIDE && long > MAX_LONG_SIDE);
}

/** True when the sizes differ by more than rounding; a page turned by 90 degrees has the same size. */
function differ(a: PageSize, b: PageSize): boolean {
  return Math.abs(longSide(a) - longSide(b)) > TOLERANCE || Math.abs(shortSide(a) - shortSide(b)) > TOLERANCE;
}

/** Looks for pages that surprise whoever prints them. @param sizes of pages 1, 2, … */
export function unusualSizes(sizes: readonly PageSize[]): UnusualSizes {
  const [first] = sizes;
  const pageAt = (index: number): PageFinding | undefined => {
    const size = sizes[index];
    return size && { page: index + 1, ...size };
  };
  const unusual = pageAt(sizes.findIndex(isUnusual));
  const differing = pageAt(sizes.findIndex((size) => first !== undefined && differ(first, size)));
  return { ...(unusual && { unusual }), ...(differing && { differing }) };
}
