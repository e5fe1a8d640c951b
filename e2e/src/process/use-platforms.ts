import { afterEach } from '@jest/globals';
import { type PlatformOptions, PlatformProcess } from '@parcelway/harness/platform-process';

/** Starts platforms that last for one test. */
export interface Platforms {
  /** One that has not been started yet, for starts that are expected to fail. */
  prepare(options?: PlatformOptions): PlatformProcess;
  /** One that is ready. */
  start(options?: PlatformOptions): Promise<PlatformProcess>;
}

/** Platforms of the tests of a file: after each test, those that it has made are stopped and their data is removed, the last one first. */
export function usePlatforms(): Platforms {
  const made: PlatformProcess[] = [];
  afterEach(async () => {
    for (const platform of made.splice(0).reverse()) await platform.dispose();
  }, 60_000);
  const prepare = (options?: PlatformOptions): PlatformProcess => {
    const platform = PlatformProcess.prepare(options);
    made.push(platform);
    return platform;
  };
  return {
    prepare,
    async start(options) {
      const platform = prepare(options);
      await platform.start();
      return platform;
    },
  };
}
