import type { Page } from '@playwright/test';

/** Records what the browser blocks because of the page's policy. */
export async function watchViolations(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Reflect.set(window, 'violations', seen);
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      seen.push(`${effectiveDirective} ${blockedURI}`),
    );
  });
  return () => page.evaluate(() => Reflect.get(window, 'violations'));
}
