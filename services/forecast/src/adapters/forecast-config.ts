import { type Environ, integer, loadConfig } from '@parcelway/platform/config';

export interface ForecastConfig {
  /** cm³ that count as 1 kg. */
  readonly VOLUME_DIVISOR: number;
}

/** Reads the settings. @throws ConfigError naming every wrong variable */
export function readForecastConfig(env: Environ): ForecastConfig {
  // Carriers take 4000 to 8000.
  return loadConfig<ForecastConfig>(env, { VOLUME_DIVISOR: integer(5000, 1000, 100_000) });
}
