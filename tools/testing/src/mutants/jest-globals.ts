// `@jest/globals` for tests that run outside Jest: the same libraries, without the sandbox for each file.
import { jestExpect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import type { Global } from '@jest/types';
import * as circus from 'jest-circus';
import { fn, spyOn } from 'jest-mock';

/** @public imported by the tests */
export const { afterAll, afterEach, beforeAll, beforeEach, describe } = circus;

/** @public imported by the tests */
export const test: Global.It = circus.test;

/** @public imported by the tests */
export const it: Global.It = circus.it;

/** @public imported by the tests */
export const expect = jestExpect;

// Of the configuration of a project it reads no more than these two.
const config = { rootDir: process.cwd(), fakeTimers: {} } as ConstructorParameters<typeof ModernFakeTimers>[0]['config'];
const timers = new ModernFakeTimers({ config, global: globalThis });

/** The part of Jest's object that the tests of the services use. @public imported by the tests */
export const jest = {
  fn,
  spyOn,
  useFakeTimers: (options: Parameters<ModernFakeTimers['useFakeTimers']>[0]) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTimeAsync: (milliseconds: number) => timers.advanceTimersByTimeAsync(milliseconds),
  getTimerCount: () => timers.getTimerCount(),
};
