import { readCompanyPrefix } from '@parcelway/contracts/sscc';
import { DEAD_LETTER_RETENTION_DAYS } from '@parcelway/contracts/topics';
import { choice, type Environ, integer, loadConfig } from '@parcelway/platform/config';
import { defaultMeasureLimits, type MeasureLimits } from '../reports/domain/intake-warnings.ts';

export interface IntakeConfig {
  readonly INTAKE_RETENTION_DAYS: number;
  readonly INTAKE_WARN_WEIGHT_KG: number;
  readonly INTAKE_WARN_SIDE_CM: number;
  readonly INTAKE_WARN_DENSITY_MIN: number;
  readonly INTAKE_WARN_DENSITY_MAX: number;
  /** Whether warehouses see the `forecast_price` of items. */
  readonly WAREHOUSE_SEES_PRICES: 'on' | 'off';
  /** Whether the topic `warehouse.expected.v1` is published; embedded there is none. */
  readonly WAREHOUSE_TOPIC: 'on' | 'off';
  /** Digits of the operator's GS1 company prefix: scans of an SSCC find its forecast. */
  readonly GS1_COMPANY_PREFIX: string | undefined;
}

/** Reads the settings. @throws ConfigError naming every wrong variable */
export function readIntakeConfig(env: Environ): IntakeConfig {
  const { weightKg, sideCm, minDensity, maxDensity } = defaultMeasureLimits;
  return loadConfig<IntakeConfig>(env, {
    // Longer than dead letters: a message that is redriven must still meet the event of the first time.
    INTAKE_RETENTION_DAYS: integer(90, DEAD_LETTER_RETENTION_DAYS + 1, 3650),
    INTAKE_WARN_WEIGHT_KG: integer(weightKg, 1, 100_000),
    INTAKE_WARN_SIDE_CM: integer(sideCm, 1, 10_000),
    INTAKE_WARN_DENSITY_MIN: integer(minDensity, 0, 1000),
    INTAKE_WARN_DENSITY_MAX: integer(maxDensity, 1000, 100_000_000),
    WAREHOUSE_SEES_PRICES: choice(['on', 'off'], 'off'),
    WAREHOUSE_TOPIC: choice(['on', 'off'], 'on'),
    GS1_COMPANY_PREFIX: readCompanyPrefix,
  });
}

export function limitsIn(config: IntakeConfig): MeasureLimits {
  return {
    weightKg: config.INTAKE_WARN_WEIGHT_KG,
    sideCm: config.INTAKE_WARN_SIDE_CM,
    minDensity: config.INTAKE_WARN_DENSITY_MIN,
    maxDensity: config.INTAKE_WARN_DENSITY_MAX,
  };
}
