import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { until } from '@parcelway/kernel/testing/until';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';

/** How somebody looks at the page. */
export interface Look {
  readonly colorScheme?: 'light' | 'dark';
  /** Of the browser, such as `zh-CN`; default `en-GB`. */
  readonly locale?: string;
  readonly width?: number;
}

/** A fault of accessibility as axe reports it. */
interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: ReadonlyArray<{ readonly html: string }>;
}

/** Milliseconds within which the page has to show what is awaited. */
export const WITHIN_MS = 30_000;

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Starts the browser that CHROMIUM_PATH names, or Debian's. Its camera shows a moving picture of its own. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    args: ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    // Chromium's own sandbox cannot be set up by root.
    chromiumSandbox: process.getuid?.() !== 0,
    timeout: 30_000,
  });
}

/** A window of somebody who has never been there. @param further settings of the window */
async function openWindow(browser: Browser, look: Look, further: BrowserContextOptions = {}): Promise<BrowserContext> {
  const { colorScheme = 'light', locale = 'en-GB', width = 1280 } = look;
  const context = await browser.newContext({
    // The certificate of a sandbox is its own.
    ignoreHTTPSErrors: true,
    colorScheme,
    locale,
    viewport: { width, height: 860 },
    timezoneId: 'Asia/Shanghai',
    reducedMotion: 'reduce',
    ...further,
  });
  context.setDefaultTimeout(WITHIN_MS);
  return context;
}

/** True when a control is the one that takes what is typed. */
export function hasFocus(locator: Locator): Promise<boolean> {
  return locator.evaluate((element) => element === element.ownerDocument.activeElement);
}

/** A page of the platform in a browser window of its own, which notes everything that must not happen there. */
export class PageWindow {
  readonly page: Page;
  /** Errors of scripts, breaches of the policy, requests to elsewhere. */
  readonly faults: string[] = [];
  readonly #context: BrowserContext;
  readonly #baseUrl: string;

  constructor(context: BrowserContext, page: Page, baseUrl: string) {
    this.#context = context;
    this.page = page;
    this.#baseUrl = baseUrl;
    this.#watch();
  }

  /** Opens an address as somebody who has never been there. @param further settings of the window */
  static async open<W extends PageWindow>(
    this: new (
      context: BrowserContext,
      page: Page,
      baseUrl: string,
    ) => W,
    browser: Browser,
    address: string,
    look: Look = {},
    further: BrowserContextOptions & { readonly script?: string } = {},
  ): Promise<W> {
    const { script, ...settings } = further;
    const context = await openWindow(browser, look, settings);
    if (script !== undefined) await context.addInitScript(script);
    const opened = new this(context, await context.newPage(), new URL(address).origin);
    await opened.page.goto(address);
    return opened;
  }

  /** Waits until an expression holds on the page. Asked from outside: the page's policy lets nothing evaluate texts inside. */
  async until(expression: string): Promise<void> {
    await until(() => this.page.evaluate(expression), { within: WITHIN_MS, what: expression });
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

  /** Types the key of a merchant or the token of an operator in, and waits for the first view. */
  async signIn(key: string): Promise<void> {
    await this.page.getByLabel(/^(API key|API 密钥|Operator token|运营令牌)$/).fill(key);
    await this.page.keyboard.press('Enter');
    await this.page.locator('nav.sections').waitFor();
    await this.settled();
  }

  /** Waits until reading begins at the heading of a view: it takes the focus as the view appears. */
  async arrived(name: string | RegExp): Promise<void> {
    await until(() => hasFocus(this.heading(name)), { within: WITHIN_MS, what: `the focus to be on the heading ${name}` });
  }

  heading(name: string | RegExp): Locator {
    return this.page.getByRole('heading', { level: 1, name });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Serious and critical faults that axe finds in what is on view. */
  async seriousFaults(): Promise<string[]> {
    if (!(await this.page.evaluate("typeof axe === 'object'"))) await this.page.evaluate(axeSource);
    // What fades has the contrast of neither state; what goes round for ever is not waited for.
    await this.until(
      `!document.getAnimations().some((one) => one.playState === 'running' && one.effect.getComputedTiming().endTime !== Infinity)`,
    );
    const found = (await this.page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as { violations: Violation[] };
    return found.violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html }) => `  ${html}`).join('\n')}`);
  }

  /** Serious and critical accessibility faults, and the given widths that the page overflows. */
  async faultsAt(...widths: readonly number[]): Promise<string[]> {
    const { width, height } = this.page.viewportSize() ?? { width: 1280, height: 860 };
    const faults = await this.seriousFaults();
    for (const narrow of widths) {
      await this.page.setViewportSize({ width: narrow, height });
      if (await this.page.evaluate(`document.documentElement.scrollWidth > ${narrow}`)) faults.push(`wider than ${narrow} px`);
    }
    await this.page.setViewportSize({ width, height });
    return faults;
  }

  /** Presses Tab until `locator` has the focus, as somebody without a mouse does. @throws Error after 80 times */
  async tabTo(locator: Locator): Promise<void> {
    await locator.first().waitFor();
    for (let pressed = 0; pressed < 80; pressed += 1) {
      if (await hasFocus(locator.first())) return;
      await this.page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${locator}`);
  }

  /** Tabs to something and presses Enter on it. */
  async enter(locator: Locator): Promise<void> {
    await this.tabTo(locator);
    await this.page.keyboard.press('Enter');
  }

  /** Cuts the network of this window, or restores it. */
  cutNetwork(cut: boolean): Promise<void> {
    return this.#context.setOffline(cut);
  }

  close(): Promise<void> {
    return this.#context.close();
  }

  #watch(): void {
    const { page, faults } = this;
    page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() !== 'error' && message.type() !== 'warning') return;
      // The browser notes every response that is no success. Whether that is a fault the test knows by what it asked for.
      if (message.text().startsWith('Failed to load resource: the server responded with a status of')) return;
      // So it does while a test has cut the network.
      if (message.text().includes('net::ERR_INTERNET_DISCONNECTED')) return;
      faults.push(`console: ${message.text()}`);
    });
    page.on('request', (request) => {
      // The browser's own viewer of PDFs is a page of the browser.
      const own = [`${this.#baseUrl}/`, `blob:${this.#baseUrl}/`, 'chrome-extension://', 'chrome://'];
      if (!own.some((prefix) => request.url().startsWith(prefix))) faults.push(`request to elsewhere: ${request.url()}`);
    });
  }
}
