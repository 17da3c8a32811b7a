import { describe, expect, it } from 'vitest';
import { retryImport } from './retry-import.ts';

const FOLDER = 'https://chat.example/natter';
/** Firefox's immediate and permanent error for a module that it could not fetch. */
const failing = (file: string) => () =>
  Promise.reject(new TypeError(`error loading dynamically imported module: ${FOLDER}/${file}`));

describe('the import of a module that is loaded late', () => {
  it('rejects a failed import, and requests another address on every later attempt', async () => {
    const asked: string[] = [];
    const importFrom = async (address: string) => {
      asked.push(address);
      return 'the module';
    };
    const load = failing('menu-4f2a91bc.js');
    await expect(retryImport<string>(load, importFrom)).rejects.toThrow('error loading');
    expect(asked).toEqual([]);
    expect(await retryImport<string>(load, importFrom)).toBe('the module');
    expect(await retryImport<string>(load, importFrom)).toBe('the module');
    expect(asked).toEqual([`${FOLDER}/menu-4f2a91bc.js?retry=1`, `${FOLDER}/menu-4f2a91bc.js?retry=2`]);
  });

  it('rejects an import when the other address fails too', async () => {
    const load = failing('cards-4f2a91bc.js');
    const importFrom = () => Promise.reject(new Error('offline'));
    await expect(retryImport(load, importFrom)).rejects.toThrow('error loading');
    await expect(retryImport(load, importFrom)).rejects.toThrow('offline');
  });

  it.each([
    new Error(`Loading chunk 5 failed (${FOLDER}/5.js)`),
    new TypeError('Importing a module script failed.'),
    'no network',
  ])('leaves retries to a browser or bundler whose error names no module: %s', async (error) => {
    let retried = 0;
    const importFrom = async () => {
      retried += 1;
    };
    const load = () => Promise.reject(error);
    await expect(retryImport(load, importFrom)).rejects.toBe(error);
    await expect(retryImport(load, importFrom)).rejects.toBe(error);
    expect(retried).toBe(0);
  });

  it('does not repeat a successful import', async () => {
    expect(await retryImport(async () => 'the module')).toBe('the module');
  });
});
