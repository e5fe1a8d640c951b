/** A chart is drawn on this height; its width grows with the bars. */
export const CHART_HEIGHT = 100;
/** Width that a bar takes up with the gap beside it. */
export const SLOT_WIDTH = 10;

const BAR_WIDTH = 8;
/** Height of the smallest bar, so that something never looks like nothing. */
const LEAST_HEIGHT = 2;
const STEPS = [1, 2, 5, 10];

/** A bar, in units of the chart. */
export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Top of a scale: the smallest of 1, 2, 5, 10, 20, 50 … that is not below the highest value. @param most not negative; 0 gives 1 */
export function scaleTop(most: number): number {
  if (most <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = STEPS.find((each) => each * power >= most) ?? 10;
  return step * power;
}

/** A bar for each value, from left to right; the bar of 0 has no height. @param values not negative @param top of the scale */
export function barsOf(values: readonly number[], top: number): readonly Bar[] {
  return values.map((value, index) => {
    const height = value === 0 ? 0 : Math.max(LEAST_HEIGHT, Math.min(CHART_HEIGHT, (value / top) * CHART_HEIGHT));
    return { x: index * SLOT_WIDTH + (SLOT_WIDTH - BAR_WIDTH) / 2, y: CHART_HEIGHT - height, width: BAR_WIDTH, height };
  });
}
