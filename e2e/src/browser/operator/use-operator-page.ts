import type { CreatedOperator, OperatorRole } from '@parcelway/contracts/operator-api';
import type { Stage } from '../../stage.ts';
import { useStage } from '../../use-stage.ts';
import { type Look, PageWindow } from '../page-window.ts';
import { useBrowser } from '../use-browser.ts';

/** The operators' page in a browser window of its own. */
export class OperatorPage extends PageWindow {
  /** Types a token in and waits for the first view. */
  async signIn(token: string): Promise<void> {
    await this.page.getByLabel(/^(Operator token|运营令牌)$/).fill(token);
    await this.page.keyboard.press('Enter');
    await this.page.locator('nav.sections').waitFor();
    await this.settled();
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
