import { readCompanyPrefix } from '@parcelway/contracts/sscc';
import { choice, duration, type Environ, loadConfig, type Reader } from '@parcelway/platform/config';
import { type LabelPage, labelPages } from '../documents/domain/label-format.ts';

/** Settings of the service. Times are milliseconds. */
export interface FileConfig {
  readonly LABEL_PAGE: LabelPage;
  /** Digits of the operator's GS1 company prefix; undefined: no SSCC. */
  readonly GS1_COMPANY_PREFIX: string | undefined;
  /** How often the storage of tenants is measured. */
  readonly STORAGE_MEASURED_EVERY: number;
  /** The age at which the leftovers of an upload are removed. */
  readonly FILE_ABANDONED_AFTER: number;
}

const measuredEvery: Reader<number> = (value) => {
  const ms = duration('1d')(value);
  if (ms < 1000 || ms > 86_400_000) throw new Error('must be 1s to 1d');
  return ms;
};

/** Reads the settings. @throws ConfigError naming every variable that is wrong */
export function readFileConfig(env: Environ): FileConfig {
  return loadConfig<FileConfig>(env, {
    LABEL_PAGE: choice(labelPages, '100x150'),
    GS1_COMPANY_PREFIX: readCompanyPrefix,
    STORAGE_MEASURED_EVERY: measuredEvery,
    FILE_ABANDONED_AFTER: duration('15m'),
  });
}
