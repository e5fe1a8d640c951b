const ORDER = new Intl.NumberFormat('en-US');

/** A number of forecasts as the report writes it. */
export const shown = (forecasts: number): string => ORDER.format(forecasts);

/**
 * Starts a platform for each size, all at the same time so that they can be measured in turns, and lets `use` work with them.
 * @param on starts one with so many forecasts, and clears it away when what it is given is done
 */
export async function onStagesOfSizes<S, T>(
  sizes: readonly number[],
  on: (forecasts: number, use: (stage: S) => Promise<T>) => Promise<T>,
  use: (stages: readonly S[]) => Promise<T>,
): Promise<T> {
  const next = (stages: readonly S[]): Promise<T> => {
    const forecasts = sizes[stages.length];
    return forecasts === undefined ? use(stages) : on(forecasts, (stage) => next([...stages, stage]));
  };
  return next([]);
}
