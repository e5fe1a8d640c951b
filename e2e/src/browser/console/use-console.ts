import type { Merchant } from '@parcelway/harness/merchant';
import { useStage } from '../../use-stage.ts';
import { type Look, PageWindow } from '../page-window.ts';
import { useBrowser } from '../use-browser.ts';

/** The console of a platform, for the tests of a file. Windows are closed after each test. @param env further environment variables of the platform */
export function useConsole(env: Readonly<Record<string, string>> = {}) {
  const stage = useStage(env);
  const { browser, closing } = useBrowser();
  /** The page as somebody sees it who is not signed in. */
  const open = async (look: Look = {}): Promise<PageWindow> =>
    closing(await PageWindow.open(browser, `${stage.platform.quickstart.base_url}/console`, look));
  /** The page with a merchant signed in. @param hash view to show, such as `#/webhooks`; default the first one */
  const signedIn = async (owner: Merchant, hash?: string, look?: Look): Promise<PageWindow> => {
    const at = await open(look);
    await at.signIn(owner.identity.key);
    if (hash !== undefined) await at.visit(hash);
    return at;
  };
  return { stage, open, signedIn };
}
