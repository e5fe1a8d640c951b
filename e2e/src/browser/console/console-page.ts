import { until } from '@parcelway/kernel/testing/until';
import { hasFocus, PageWindow, WITHIN_MS } from '../page-window.ts';

/** The merchant's page in a browser window of its own. */
export class ConsolePage extends PageWindow {
  /** Types a key in and waits for the first view. */
  async signIn(key: string): Promise<void> {
    await this.page.getByLabel(/API key|API 密钥/).fill(key);
    await this.page.keyboard.press('Enter');
    await this.page.locator('nav.sections').waitFor();
  }

  /** Waits until reading begins at the heading of a view: it takes the focus as the view appears. */
  async arrived(name: string | RegExp): Promise<void> {
    const what = `the focus to be on the heading ${name}`;
    await until(() => hasFocus(this.heading(name)), { within: WITHIN_MS, what });
  }
}
