import type { CreatedOperator, OperatorRole } from '@parcelway/contracts/operator-api';
import { useStage } from '../../use-stage.ts';
import { type Look, PageWindow } from '../page-window.ts';
import { useBrowser } from '../use-browser.ts';

/** The operators' page of a platform, for the tests of a file. Windows are closed after each test. */
export function useOperatorPage() {
  const stage = useStage();
  const { browser, closing } = useBrowser();
  return {
    stage,
    /** The page as somebody sees it who is not signed in. */
    open: async (look?: Look) => closing(await PageWindow.open(browser, stage.platform.quickstart.admin.url, look)),
    /** Creates an operator. @returns the token */
    async tokenOf(name: string, role: OperatorRole): Promise<string> {
      return (await stage.operator.admin.expectOk<CreatedOperator>('/admin/v1/operators', { body: { name, role } })).token;
    },
  };
}
