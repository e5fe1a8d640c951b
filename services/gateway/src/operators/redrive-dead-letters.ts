import type { Bus, PassOver } from '@parcelway/bus/bus';
import { type ForecastName, forecastOfDeadLetter, forecastText } from './domain/dead-letter-forecast.ts';

/** What a redrive works with. */
export interface RedriveOptions {
  readonly bus: Pick<Bus, 'redrive'>;
  /** Those of the names, each once, whose forecast exists, in any order. @throws AppError 50301 when the forecast service or its store is out */
  existing(names: readonly ForecastName[]): Promise<readonly ForecastName[]>;
}

/**
 * Redrives the oldest dead letters of a topic, except those of forecasts that are deleted. Nobody else knows the latter for certain: the forecast service
 * has a forecast before anybody hears of it, and deletes it for good. A deletion between the look and the publication right behind it is not noticed.
 * @returns how many were published again, and how many were not because their forecast is deleted: they are not listed any more either
 * @throws AppError as `Bus.redrive`, and 50301 when the forecast service is out: then nothing was redriven
 */
export async function redriveDeadLetters({ bus, existing }: RedriveOptions, topic: string, limit: number) {
  let passedOver = 0;
  const passOver: PassOver = async (deadLetters) => {
    const named = deadLetters.flatMap((deadLetter) => {
      const forecast = forecastOfDeadLetter({ ...deadLetter, value: deadLetter.record.value });
      return forecast === undefined ? [] : [{ deadLetter, forecast }];
    });
    const asked = new Map<string, ForecastName>(named.map(({ forecast }) => [forecastText(forecast), forecast]));
    const found = new Set((await existing([...asked.values()])).map(forecastText));
    const gone = named.filter(({ forecast }) => !found.has(forecastText(forecast)));
    passedOver = gone.length;
    return new Set(gone.map(({ deadLetter }) => deadLetter));
  };
  const redriven = await bus.redrive(topic, limit, passOver);
  return { redriven, passedOver };
}
