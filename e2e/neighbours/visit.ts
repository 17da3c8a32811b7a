import type { Page } from '@playwright/test';
import { test as base } from '../fixtures.ts';
import { bundleSnippet } from '../stack/bundle-snippet.ts';
import { type CustomerSite, page as draw, serveCustomerSite, snippet } from '../stack/customer-site.ts';

/** A page with another library, and the script tag of the widget at its end. */
export interface Neighbour {
  readonly body: string;
  readonly head?: string;
  /** Source of a module in the page; it imports installed packages, and runs before the widget. */
  readonly script?: string;
  /** Attributes of the widget's script tag. */
  readonly attributes?: string;
  /** Other pages of the site by their paths. */
  readonly pages?: Readonly<Record<string, string>>;
}

interface NeighbourFixtures {
  /** Serves the page with a library and opens it. */
  readonly visit: (neighbour: Neighbour) => Promise<CustomerSite>;
}

export const test = base.extend<NeighbourFixtures>({
  visit: async ({ page, stack }, use) => {
    const sites: CustomerSite[] = [];
    await use(async ({ body, head = '', script, attributes = '', pages = {} }) => {
      const files = script === undefined ? new Map() : await bundleSnippet('npm', script);
      const site = await serveCustomerSite(stack, {
        render: (path, urls) => {
          const file = files.get(path);
          if (file !== undefined)
            return { body: file, type: path.endsWith('.css') ? 'text/css' : 'text/javascript' };
          const tags = files.has('/main.js') ? '<script type="module" src="/main.js"></script>' : '';
          const content = path === '/' ? body : pages[path];
          return content === undefined
            ? null
            : { body: draw(content + tags + snippet(urls, attributes), head) };
        },
      });
      sites.push(site);
      await page.goto(site.urls.site);
      return site;
    });
    for (const site of sites) await site.close();
  },
});
export { expect } from '../fixtures.ts';

/** Returns the text in the page's own field. */
export const readField = (page: Page): Promise<string> => page.getByLabel('Your name').inputValue();
