import { until } from '@parcelway/kernel/testing/until';
import type { Browser, Locator } from 'playwright-core';
import { hasFocus, type Look, openWindow, PageWindow, WITHIN_MS } from '../page-window.ts';

/** The merchant's page in a browser window of its own. */
export class ConsolePage extends PageWindow {
  /** Opens the page as somebody who has never been there. */
  static async open(browser: Browser, baseUrl: string, look: Look = {}): Promise<ConsolePage> {
    const context = await openWindow(browser, look);
    const opened = new ConsolePage(context, await context.newPage(), baseUrl);
    await opened.page.goto(`${baseUrl}/console`);
    return opened;
  }

  /** Types a key in and waits for the first view. */
  async signIn(key: string): Promise<void> {
    await this.page.getByLabel(/API key|API 密钥/).fill(key);
    await this.page.keyboard.press('Enter');
    await this.page.locator('nav.sections').waitFor();
  }

  /** Goes to an address of the page, and waits until nothing is being loaded any more. @param hash such as `#/webhooks` */
  async visit(hash: string): Promise<void> {
    await this.page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
    await this.settled();
  }

  /** Waits until nothing is being loaded any more. */
  async settled(): Promise<void> {
    // Two frames, so that a view that was asked for has begun.
    await this.page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
    await this.until("document.querySelector('main h1') !== null && document.querySelector('.skeleton') === null");
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { level: 1, name });
  }

  /** Waits until reading begins at the heading of a view: it takes the focus as the view appears. */
  async arrived(name: string | RegExp): Promise<void> {
    const what = `the focus to be on the heading ${name}`;
    await until(() => hasFocus(this.heading(name)), { within: WITHIN_MS, what });
  }
}
