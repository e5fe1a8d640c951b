import type { Merchant } from '@parcelway/harness/merchant';
import type { Stage } from '../../stage.ts';
import { useStage } from '../../use-stage.ts';
import type { Look } from '../page-window.ts';
import { useBrowser } from '../use-browser.ts';
import { ConsolePage } from './console-page.ts';

/** The console of a platform, for the tests of a file. Windows are closed after each test. */
export interface ConsoleTests {
  readonly stage: Stage;
  /** The page as somebody sees it who is not signed in. */
  open(look?: Look): Promise<ConsolePage>;
  /** The page with a merchant signed in. @param hash view to show, such as `#/webhooks`; default the first one */
  signedIn(owner: Merchant, hash?: string, look?: Look): Promise<ConsolePage>;
}

/** @param env further environment variables of the platform */
export function useConsole(env: Readonly<Record<string, string>> = {}): ConsoleTests {
  const stage = useStage(env);
  const { browser, closing } = useBrowser();
  const open = async (look: Look = {}): Promise<ConsolePage> =>
    closing(await ConsolePage.open(browser, `${stage.platform.quickstart.base_url}/console`, look));
  return {
    stage,
    open,
    async signedIn(owner, hash, look) {
      const at = await open(look);
      await at.signIn(owner.identity.key);
      if (hash !== undefined) await at.visit(hash);
      return at;
    },
  };
}
