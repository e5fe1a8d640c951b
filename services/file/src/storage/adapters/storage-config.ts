import type { Reader } from '@parcelway/platform/config';
import { duration, loadConfig } from '@parcelway/platform/config';

/** Settings of the measurement of what tenants have stored. */
interface StorageConfig {
  /** Milliseconds. */
  readonly STORAGE_MEASURED_EVERY: number;
}

const MIN_MS = 1000;
const MAX_MS = 86_400_000;

const measuredEvery: Reader<number> = (value) => {
  const ms = duration('1d')(value);
  if (ms < MIN_MS || ms > MAX_MS) throw new Error('must be 1s to 1d');
  return ms;
};

/** Reads the settings of the measurement. @throws ConfigError naming each variable that is wrong */
export function readStorageConfig(env: NodeJS.ProcessEnv): StorageConfig {
  return loadConfig<StorageConfig>(env, { STORAGE_MEASURED_EVERY: measuredEvery });
}
