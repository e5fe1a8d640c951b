import { afterEach, expect, jest } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { useOpened } from '../use-stage.ts';
import { launchBrowser, type PageWindow } from './page-window.ts';

/** Milliseconds for a test. Each opens a browser window; on a machine with other work to do that alone takes seconds. */
const TEST_WITHIN_MS = 90_000;

/** A browser, and the windows that a test opens in it. */
export interface TestBrowser {
  readonly browser: Browser;
  /** Closes a window after the test, which fails when anything went wrong in the window. @returns the window */
  closing<W extends PageWindow>(window: W): W;
}

/** A browser for the tests of a file. */
export function useBrowser(): TestBrowser {
  jest.setTimeout(TEST_WITHIN_MS);
  const browser = useOpened('browser', launchBrowser, (opened) => opened.close());
  const open: PageWindow[] = [];
  afterEach(async () => {
    const faults = open.flatMap((window) => window.faults);
    await Promise.all(open.splice(0).map((window) => window.close()));
    expect(faults).toEqual([]);
  });
  return {
    browser,
    closing(window) {
      open.push(window);
      return window;
    },
  };
}
