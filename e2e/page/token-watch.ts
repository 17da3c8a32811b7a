import { type ConsoleMessage, expect, type Page } from '@playwright/test';

/** Watches a page for the access tokens that the token proxy sent to it. */
export interface TokenWatch {
  /** Fails if a token is anywhere but in memory: storage, cookies, DOM, addresses, console. */
  assertNoLeak(): Promise<void>;
  /** Returns the number of tokens that the page received, so that a test can prove that it watched something. */
  count(): Promise<number>;
}

/** Returns everything in a page that could contain a token, as one text. Runs in the page. */
export async function readEverything(): Promise<string> {
  const parts: string[] = [location.href, document.cookie];
  for (const name of ['localStorage', 'sessionStorage'] as const)
    parts.push(JSON.stringify({ ...window[name] }));
  for (const { name } of await indexedDB.databases()) {
    if (!name) continue;
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    for (const store of database.objectStoreNames) {
      const values = await new Promise<unknown>((resolve, reject) => {
        const request = database.transaction(store).objectStore(store).getAll();
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
      parts.push(JSON.stringify(values));
    }
    database.close();
  }
  const readTree = (root: Document | ShadowRoot): void => {
    for (const element of root.querySelectorAll('*')) {
      for (const attribute of element.attributes) parts.push(attribute.value);
      if (element.shadowRoot) readTree(element.shadowRoot);
    }
    parts.push(root.textContent ?? '');
  };
  readTree(document);
  parts.push(document.documentElement.textContent ?? '');
  return parts.join('\n');
}

/**
 * Returns true if the browser itself printed `message`, about a socket that it could not open. It prints the address,
 * which contains the token (the contract's address of a socket), and no script can prevent that. Unlike a call of
 * `console`, such a message has no arguments.
 */
const isOfRefusedSocket = (message: ConsoleMessage): boolean =>
  message.args().length === 0 && /'wss?:\/\//.test(message.text());

/** Starts to watch `page`; call it before the page is opened. */
export function watchTokens(page: Page): TokenWatch {
  const tokens = new Set<string>();
  const said: string[] = [];
  const pending = new Set<Promise<void>>();
  page.on('console', (message) => {
    if (!isOfRefusedSocket(message)) said.push(message.text());
  });
  // These do not include sockets.
  page.on('request', (request) => said.push(request.url()));
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('framenavigated', (frame) => said.push(frame.url()));
  page.on('response', (response) => {
    if (!/\/v1\/(session|resume)$/.test(new URL(response.url()).pathname)) return;
    if (response.request().method() !== 'POST' || !response.ok()) return;
    const reading = response.json().then(
      (body: unknown) => {
        if (typeof body === 'object' && body !== null && 'access_token' in body)
          tokens.add(String(body.access_token));
      },
      // The response is lost when the page navigates; the token can then no longer leak.
      () => undefined,
    );
    pending.add(reading);
  });
  return {
    count: async () => {
      await Promise.all(pending);
      return tokens.size;
    },
    assertNoLeak: async () => {
      await Promise.all(pending);
      // A page that received no token, or was never opened, cannot leak one.
      if (tokens.size === 0) return;
      const lines = [...(await page.evaluate(readEverything)).split('\n'), ...said];
      // The header is not secret; payload and signature are each enough to do harm.
      const secrets = [...tokens].flatMap((token) => token.split('.').slice(1));
      const leaks = lines.filter((line) => secrets.some((secret) => line.includes(secret)));
      expect(leaks).toEqual([]);
    },
  };
}
