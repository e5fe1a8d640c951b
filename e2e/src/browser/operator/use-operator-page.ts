import type { CreatedOperator, OperatorRole } from '@parcelway/contracts/operator-api';
import type { Browser, Locator } from 'playwright-core';
import type { Stage } from '../../stage.ts';
import { useStage } from '../../use-stage.ts';
import { type Look, openWindow, PageWindow } from '../page-window.ts';
import { useBrowser } from '../use-browser.ts';

/** The operators' page in a browser window of its own. */
export class OperatorPage extends PageWindow {
  /** Opens the admin server without a path, as somebody who has never been there. */
  static async open(browser: Browser, adminUrl: string, look: Look = {}): Promise<OperatorPage> {
    const context = await openWindow(browser, look);
    const opened = new OperatorPage(context, await context.newPage(), adminUrl);
    await opened.page.goto(adminUrl);
    return opened;
  }

  /** Types a token in and waits for the first view. */
  async signIn(token: string): Promise<void> {
    await this.page.getByLabel(/^(Operator token|运营令牌)$/).fill(token);
    await this.page.keyboard.press('Enter');
    await this.page.locator('nav.sections').waitFor();
    await this.settled();
  }

  /** Goes to an address of the page, and waits until nothing is being loaded any more. */
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
}

/** The operators' page of a platform, for the tests of a file. */
export interface OperatorTests {
  readonly stage: Stage;
  /** The page as somebody sees it who is not signed in. */
  open(look?: Look): Promise<OperatorPage>;
  /** Creates an operator. @returns the token */
  tokenOf(name: string, role: OperatorRole): Promise<string>;
}

export function useOperatorPage(): OperatorTests {
  const stage = useStage();
  const { browser, closing } = useBrowser();
  return {
    stage,
    open: async (look) => closing(await OperatorPage.open(browser, stage.platform.quickstart.admin.url, look)),
    async tokenOf(name, role) {
      return (await stage.operator.admin.expectOk<CreatedOperator>('/admin/v1/operators', { body: { name, role } })).token;
    },
  };
}
