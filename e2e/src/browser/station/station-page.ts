import { until } from '@parcelway/kernel/testing/until';
import type { Browser, Locator } from 'playwright-core';
import { hasFocus, type Look, PageWindow, WITHIN_MS } from '../page-window.ts';

/** How a test looks at the station. */
export interface StationLook extends Look {
  readonly height?: number;
}

/**
 * Stands for what a bench has: a scale on a serial line, and a printer. `station.send(line)` is a line of the scale, `station.printed`
 * are the addresses of what was fetched and printed.
 */
const DEVICES = `
  globalThis.station = { printed: [], send: () => undefined };
  // What is printed lies in the memory of the page: its address there leads back to the one it came from.
  const [fetchAny, urlOf] = [fetch, URL.createObjectURL];
  const [fetched, addresses] = [new WeakMap(), new Map()];
  globalThis.fetch = async (address, init) => {
    const response = await fetchAny(address, init);
    const { blob } = response;
    response.blob = async () => {
      const content = await blob.call(response);
      fetched.set(content, String(address));
      return content;
    };
    return response;
  };
  URL.createObjectURL = (content) => {
    const address = urlOf.call(URL, content);
    addresses.set(address, fetched.get(content));
    return address;
  };
  const port = {
    open: async () => {
      port.readable = new ReadableStream({
        start: (stream) => {
          station.send = (line) => stream.enqueue(new TextEncoder().encode(line + '\\r\\n'));
          station.unplug = () => stream.close();
        },
      });
    },
    close: async () => undefined,
    readable: null,
  };
  Object.defineProperty(navigator, 'serial', { value: { getPorts: async () => [], requestPort: async () => port } });
  Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
    get() {
      return { focus: () => undefined, addEventListener: () => undefined, print: () => station.printed.push(addresses.get(this.src)) };
    },
  });
`;

/** Opens the page as a bench that has never been used. */
export function openStation(browser: Browser, baseUrl: string, { width = 1366, height = 768, ...look }: StationLook): Promise<StationPage> {
  const settings = { viewport: { width, height }, permissions: ['camera'], script: DEVICES };
  return StationPage.open(browser, `${baseUrl}/station`, look, settings);
}

/** The station in a browser window of its own, worked with the keyboard alone. */
export class StationPage extends PageWindow {
  /** Types a key in as a scanner does, and waits for the bench. */
  override async signIn(key: string): Promise<void> {
    await until(() => hasFocus(this.page.getByLabel(/^(Warehouse key|仓库密钥)$/)), { what: 'the focus to be on the key' });
    await this.page.keyboard.insertText(key);
    await this.page.keyboard.press('Enter');
    await this.page.locator('.command-line').waitFor();
  }

  /** Types a line, as somebody or a scanner does: wherever the focus is, it has to end up in the field. */
  async line(text: string): Promise<void> {
    await this.page.keyboard.type(text);
    await this.page.keyboard.press('Enter');
  }

  /** Waits until the field asks for something. */
  async asked(prompt: string | RegExp): Promise<void> {
    await this.page.locator('.command-line label', { hasText: prompt }).waitFor();
  }

  /** Waits for a text about the last line. */
  async said(text: string | RegExp): Promise<void> {
    await this.page.locator('.said', { hasText: text }).waitFor();
  }

  /** Waits until the bar says something of the network or the queue. */
  async networkSays(text: string | RegExp, within = WITHIN_MS): Promise<void> {
    await this.page.locator('.network', { hasText: text }).waitFor({ timeout: within });
  }

  /** Scans, weighs and measures a parcel, and ends it: four lines. */
  async weigh(scan: string, weight: string, size: string): Promise<void> {
    await this.line(scan);
    await this.line(weight);
    await this.line(size);
    await this.line('');
  }

  /** Turns the camera on and waits for its picture. */
  async startCamera(): Promise<void> {
    await this.line('C');
    await this.until("document.querySelector('video')?.videoWidth > 0");
  }

  /** Takes a photo. @param count of those that the page shows then */
  async takePhoto(count = 1): Promise<void> {
    await this.line('C');
    await until(async () => (await this.page.locator('.picture').count()) === count, { what: 'the photo' });
  }

  /** Waits until what is typed ends up in the field. */
  async fieldHasFocus(): Promise<void> {
    await until(() => hasFocus(this.page.locator('.command-line input')), { what: 'the focus to be back in the field' });
  }

  region(name: string | RegExp): Locator {
    return this.page.getByRole('region', { name });
  }

  /** A line of the scale. */
  async scaleSays(line: string): Promise<void> {
    await this.page.evaluate(`station.send(${JSON.stringify(line)})`);
  }

  /** Paths of the documents that were printed. */
  async printed(): Promise<string[]> {
    return this.page.evaluate('station.printed.map((address) => new URL(address).pathname + new URL(address).search)');
  }
}
