import { afterEach, expect, jest } from '@jest/globals';
import { useOpened } from '../use-stage.ts';
import { launchBrowser, type PageWindow } from './page-window.ts';

/** Milliseconds for a test. Each opens a browser window; on a machine with other work to do that alone takes seconds. */
const TEST_WITHIN_MS = 90_000;

/** A browser for the tests of a file. */
export function useBrowser() {
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
    /** Closes a window after the test, which fails when anything went wrong in the window. @returns the window */
    closing<W extends PageWindow>(window: W): W {
      open.push(window);
      return window;
    },
  };
}
