import { useStage } from '../../use-stage.ts';
import { type Look, PageWindow } from '../page-window.ts';
import { useBrowser } from '../use-browser.ts';

/** The documentation of a platform, for the tests of a file. Windows are closed after each test. */
export function useDocs() {
  const stage = useStage({ RATE_LIMITS: 'off' });
  const { browser, closing } = useBrowser();
  return {
    stage,
    /** A page as somebody sees it who has never been there. @param path such as `/docs/guides` @param scripts false for a browser without */
    async open(path: string, look: Look = {}, scripts = true): Promise<PageWindow> {
      const address = `${stage.platform.quickstart.base_url}${path}`;
      const at = closing(await PageWindow.open(browser, address, look, { javaScriptEnabled: scripts }));
      // The script of the site has done its work when the page is loaded: modules run before that.
      await at.page.waitForLoadState('load');
      return at;
    },
    /** Paths of all pages, as `llms.txt` lists them. */
    async paths(): Promise<string[]> {
      const { text } = await stage.platform.client(null).call('/llms.txt');
      return ['/docs/guides', ...[...text.matchAll(/\]\((docs[^)]*)\.md\)/g)].map(([, path]) => `/${path}`)];
    },
  };
}
