// `@jest/globals` for tests that run outside Jest: the same libraries, without the sandbox for each file.
import { jestExpect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import * as circus from 'jest-circus';
import { fn, spyOn } from 'jest-mock';

/** @public imported by the tests */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } = circus;

/** @public imported by the tests */
export const expect = jestExpect;

const timers = new ModernFakeTimers({ config: { rootDir: process.cwd(), fakeTimers: {} }, global: globalThis });

/** The part of Jest's object that the tests of the services use. @public imported by the tests */
export const jest = {
  fn,
  spyOn,
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTimeAsync: (milliseconds) => timers.advanceTimersByTimeAsync(milliseconds),
  getTimerCount: () => timers.getTimerCount(),
};
