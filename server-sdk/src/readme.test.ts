import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { codeOfStatus } from './errors/error-codes.ts';
import { createNatter, LOCAL_ERROR_CODES, type NatterOptions, PLATFORM_ERROR_CODES } from './index.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const readme = readFileSync(join(root, 'server-sdk/README.md'), 'utf8');
const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');

/** Checks the files with the compiler and returns its output. */
async function typeCheck(files: readonly string[]): Promise<string> {
  // Inside the repository, so that packages resolve as for a user.
  const parent = join(root, '.tsbuild');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'sdk-readme-'));
  try {
    files.forEach((text, index) => void writeFileSync(join(folder, `block-${index}.ts`), text));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const compilerOptions = {
      ...{
        target: 'es2023',
        lib: ['es2023'],
        types: ['node'],
        module: 'nodenext',
        strict: true,
        noEmit: true,
      },
      ...{
        customConditions: ['@natter/source'],
        allowImportingTsExtensions: true,
        exactOptionalPropertyTypes: true,
      },
      ...{ moduleDetection: 'force', noUnusedLocals: true, skipLibCheck: true },
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    const run = promisify(execFile)(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      ...['-p', folder, '--pretty', 'false'],
    ]);
    return await run.then(
      ({ stdout }) => stdout,
      (error: { readonly stdout?: string }) => error.stdout ?? String(error),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the README', () => {
  it('compiles every example in the README, and fails for one that does not compile', async () => {
    expect(blocks.length).toBeGreaterThan(10);
    expect(await typeCheck(blocks)).toBe('');
    const wrong = (blocks[1] ?? '').replace('chat.create(', 'chat.begin(');
    expect(await typeCheck([wrong])).toContain("Property 'begin' does not exist");
  });

  it('explains in the README how a chat over REST receives what its agent has waited for', () => {
    const paragraph =
      readme.split('\n\n').find((text) => text.includes('receives no events on its own')) ?? '';
    expect(paragraph).toMatch(/next `respond`\. Without `message`.* poll with it/);
  });

  it('the README has an example for every family', () => {
    const families = Object.keys(createNatter({ region: 'us-1' }));
    for (const family of families) expect(blocks.join('\n'), family).toMatch(new RegExp(`\\b${family}\\b`));
  });

  it('lists every error code in the README, and no unknown one', () => {
    const listed = [...readme.matchAll(/^\| `(\w+)`\s*\|/gm)].map((match) => match[1] ?? '');
    const codes = [...Object.keys(LOCAL_ERROR_CODES), ...Object.keys(PLATFORM_ERROR_CODES)];
    const inTable = listed.filter((name) => /^(?:[A-Z_]+|Chat\w+)$/.test(name));
    expect(inTable.toSorted()).toEqual([...new Set(codes)].toSorted());
    for (const status of [400, 401, 403, 408, 409, 410, 422, 502, 503, 504, 418]) {
      expect(readme).toContain(`\`${codeOfStatus(status)}\``);
    }
  });

  it('the README lists every option', () => {
    const options: Readonly<Record<keyof NatterOptions, true>> = {
      ...{ region: true, baseUrl: true, monitorBaseUrl: true, allowHostWithoutRegion: true, apiKey: true },
      ...{
        monitorApiKey: true,
        apiKeys: true,
        connectorToken: true,
        accountId: true,
        projectId: true,
        fetch: true,
      },
      ...{ timeoutMs: true, retries: true, maxRetryDelayMs: true, vendorNames: true, clock: true },
    };
    const rows = readme.slice(readme.search(/^\| Option\s/m)).split('\n\n')[0] ?? '';
    const listed = [...rows.matchAll(/^\| ((?:`\w+`(?:, )?)+)\s*\|/gm)].flatMap(
      (match) => match[1]?.match(/\w+/g) ?? [],
    );
    expect(listed.toSorted()).toEqual(Object.keys(options).toSorted());
  });
});
