import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, Page } from '@playwright/test';
import { build } from 'vite';
import { launchChromium } from '../../../test/chromium/launch-chromium.ts';
import type { Lane } from '../lane.ts';
import type { OpenTab } from '../run-schedule.ts';
import type { PageNote } from './browser-page.ts';
import type { SoakTab, TabTrace, TabView } from './soak-tab.ts';

/** A Chromium, and the page that its tabs load. */
export interface SoakBrowser {
  /** Of the page, for the proxy's list. */
  readonly origin: string;
  /** A new visitor: tabs of one browser that share their storage and nothing else. `close` ends it. */
  openVisitor(lane: Lane, seed: number): Promise<{ readonly openTab: OpenTab; close(): Promise<void> }>;
  close(): Promise<void>;
}

const PAGE = fileURLToPath(new URL('browser-page.ts', import.meta.url));
const HTML =
  '<!doctype html><meta charset="utf-8"><title>Soak</title><script type="module" src="/page.js"></script>';

/** Of a visitor's browser: one network for all its tabs. */
class Network {
  readonly #context: BrowserContext;
  #isOnline = true;

  constructor(context: BrowserContext) {
    this.#context = context;
  }

  async setOnline(isOnline: boolean): Promise<void> {
    this.#isOnline = isOnline;
    await this.#context.setOffline(!isOnline);
  }

  /** The page's own server is not behind the visitor's network: a browser without one could load nothing. */
  async load(work: () => Promise<unknown>): Promise<void> {
    await this.#context.setOffline(false);
    await work();
    await this.#context.setOffline(!this.#isOnline);
  }
}

class BrowserTab implements SoakTab {
  readonly #page: Page;
  readonly #context: BrowserContext;
  readonly #network: Network;
  readonly #lane: Lane;
  readonly #url: string;
  readonly #seed: number;
  /** Of all tabs of the visitor: one of them asks for the session, the others mirror it. */
  readonly #sessionIds: string[];
  readonly #secrets = new Set<string>();
  readonly #acknowledged = new Set<string>();
  readonly #frames: string[] = [];
  #mayChangeSession = true;
  #renewals = 0;
  #isFrozen = false;
  /** There is a client in the page, and it runs. */
  #isAwake = false;

  constructor(
    page: Page,
    network: Network,
    lane: Lane,
    { url, seed, sessionIds }: { readonly url: string; readonly seed: number; readonly sessionIds: string[] },
  ) {
    this.#page = page;
    this.#context = page.context();
    this.#network = network;
    this.#lane = lane;
    this.#url = url;
    this.#seed = seed;
    this.#sessionIds = sessionIds;
  }

  async open(): Promise<void> {
    await this.#page.exposeFunction('soakNote', (note: PageNote) => this.#hear(note));
    await this.#network.load(async () => {
      await this.#page.goto(this.#url);
      await this.#page.waitForFunction(() => 'soakPage' in window);
    });
    await this.#start();
    this.#lane.followers.add(this.#sendTime);
  }

  async send(text: string): Promise<string | null> {
    await this.setFrozen(false);
    return await this.#page.evaluate((words) => window.soakPage.send(words), text);
  }

  async type(): Promise<void> {
    await this.setFrozen(false);
    await this.#page.evaluate(() => window.soakPage.type());
  }

  async setFrozen(isFrozen: boolean): Promise<void> {
    if (isFrozen === this.#isFrozen) return;
    this.#isFrozen = isFrozen;
    this.#isAwake = !isFrozen;
    const session = await this.#context.newCDPSession(this.#page);
    await session.send('Page.setWebLifecycleState', { state: isFrozen ? 'frozen' : 'active' });
    await session.detach();
  }

  async setOnline(isOnline: boolean): Promise<void> {
    await this.#network.setOnline(isOnline);
  }

  async reload(): Promise<void> {
    await this.setFrozen(false);
    this.#isAwake = false;
    this.#frames.push('soak reloaded');
    await this.#network.load(async () => {
      await this.#page.reload();
      await this.#page.waitForFunction(() => 'soakPage' in window);
    });
    // A page that finds no session, because the visitor said nothing in it or it had none, begins anew.
    this.#mayChangeSession = !(await this.#hasStoredSession());
    await this.#start();
  }

  async reconnect(): Promise<void> {
    await this.#page.evaluate(() => window.soakPage.reconnect());
  }

  view(): Promise<TabView> {
    return this.#page.evaluate(() => window.soakPage.view());
  }

  async trace(): Promise<TabTrace> {
    return {
      sessionIds: this.#sessionIds,
      secrets: [...this.#secrets],
      acknowledged: [...this.#acknowledged],
      renewals: this.#renewals,
      lateCalls: await this.#page.evaluate(() => window.soakPage.lateCalls()),
      frames: this.#frames,
    };
  }

  async leave(): Promise<void> {
    await this.#page.evaluate(() => window.soakPage.leave());
  }

  async close(): Promise<void> {
    this.#lane.followers.delete(this.#sendTime);
    await this.#page.close();
  }

  /** A page that goes in the moment of the first message leaves a note of a cookie that has not come yet. */
  async #hasStoredSession(): Promise<boolean> {
    const ticket = await this.#page.evaluate(
      (endpoint) => window.soakPage.storedTicket(endpoint),
      this.#lane.endpoint,
    );
    if (ticket !== 'cookie') return ticket !== '';
    return (await this.#context.cookies()).length > 0;
  }

  async #start(): Promise<void> {
    const { endpoint, clock } = this.#lane;
    const options = { endpoint, rate: clock.rate, nowMs: clock.now(), seed: this.#seed };
    await this.#page.evaluate((given) => window.soakPage.open(given), options);
    this.#isAwake = true;
  }

  /** A sleeping or loading page receives nothing, so the soak does not wait for it. */
  readonly #sendTime = async (nowMs: number): Promise<void> => {
    if (!this.#isAwake) return;
    // A page that unloads in the meantime is done.
    await this.#page.evaluate((now) => window.soakPage.markAnswered(now), nowMs).catch(() => undefined);
  };

  #hear(note: PageNote): void {
    switch (note.note) {
      case 'frame':
        this.#frames.push(note.text);
        return;
      case 'acknowledged':
        this.#acknowledged.add(note.localId);
        return;
      case 'grant':
        for (const secret of note.secrets) this.#secrets.add(secret);
        if (note.sessionId === this.#sessionIds.at(-1)) return;
        if (!this.#mayChangeSession) this.#renewals += 1;
        this.#mayChangeSession = false;
        this.#sessionIds.push(note.sessionId);
        this.#frames.push(`soak session ${note.sessionId}`);
    }
  }
}

async function bundlePage(): Promise<string> {
  const built = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    resolve: { conditions: ['@natter/source', 'module', 'browser', 'import', 'default'] },
    build: {
      write: false,
      minify: false,
      lib: { entry: PAGE, formats: ['es'], fileName: 'page' },
      // Late parts of the client too: the page's server has one file.
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (!output || !('output' in output)) throw new Error('The page of the browser soak could not be built.');
  return output.output[0].code;
}

/** Builds the page, serves it and starts Chromium. */
export async function startSoakBrowser(): Promise<SoakBrowser> {
  const code = await bundlePage();
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.writeHead(200, { 'Content-Type': isScript ? 'text/javascript' : 'text/html' });
    response.end(isScript ? code : HTML);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The page has no TCP address.');
  const origin = `http://127.0.0.1:${address.port}`;
  const browser = await launchChromium([
    '--disable-background-timer-throttling',
    '--disable-renderer-backgrounding',
  ]);
  return {
    origin,
    async openVisitor(lane, seed) {
      const context = await browser.newContext();
      // The machine may have no network: the client would wait for one.
      await context.addInitScript(() => {
        if (!navigator.onLine) Object.defineProperty(navigator, 'onLine', { value: true });
      });
      const network = new Network(context);
      const sessionIds: string[] = [];
      return {
        openTab: async (index) => {
          const page = await context.newPage();
          const own = { url: origin, seed: seed ^ (index + 1), sessionIds };
          const tab = new BrowserTab(page, network, lane, own);
          await tab.open();
          return tab;
        },
        close: () => context.close(),
      };
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
