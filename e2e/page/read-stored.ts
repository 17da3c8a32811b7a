import type { Page } from '@playwright/test';

/** Returns everything that scripts can read of the site's stored data. */
export const readStored = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('natter');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const values = await new Promise<unknown>((resolve, reject) => {
      const request = database.transaction('conversations').objectStore('conversations').getAll();
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    database.close();
    return JSON.stringify({ values, cookies: document.cookie, local: { ...localStorage } });
  });
