import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { compileScript, parse } from 'vue/compiler-sfc';

/** Snippets for a project that has a bundler. */
export type SnippetKind = 'React' | 'Vue' | 'npm';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = 'main.tsx';
/** The widget's own sources, which are bundled too, are Preact's. */
const REACT = '/** @jsxImportSource react */\n';

/** The snippet in its file, and the code that starts it where a project has its own root. */
function filesOf(kind: SnippetKind, text: string): Readonly<Record<string, string>> {
  if (kind === 'React')
    return {
      'chat.tsx': `${REACT}${text}`,
      [MAIN]: `${REACT}import { createRoot } from 'react-dom/client';
        import { Chat } from './chat.tsx';
        createRoot(document.querySelector('#app')).render(<Chat />);`,
    };
  if (kind === 'Vue') {
    const { content } = compileScript(parse(text).descriptor, { id: 'chat', inlineTemplate: true });
    return {
      'chat.js': content,
      [MAIN]: `import { createApp } from 'vue';
        import Chat from './chat.js';
        createApp(Chat).mount('#app');`,
    };
  }
  return { [MAIN]: text };
}

/** Builds a snippet as a customer's bundler does; the files by their paths, `/main.js` among them. */
export async function bundleSnippet(
  kind: SnippetKind,
  text: string,
): Promise<ReadonlyMap<string, string | Uint8Array>> {
  mkdirSync(join(ROOT, '.tsbuild'), { recursive: true });
  // Inside the repository, so that the packages resolve.
  const root = mkdtempSync(join(ROOT, '.tsbuild/snippet-'));
  try {
    for (const [name, content] of Object.entries(filesOf(kind, text)))
      writeFileSync(join(root, name), content);
    const output = await build({
      ...{ root, base: './', configFile: false, logLevel: 'error' },
      resolve: { conditions: ['@natter/source', 'module', 'browser', 'import', 'default'] },
      oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
      build: {
        ...{ write: false, target: 'esnext', modulePreload: false },
        rolldownOptions: {
          input: join(root, MAIN),
          output: { entryFileNames: 'main.js' },
          preserveEntrySignatures: 'allow-extension',
        },
      },
    });
    // One input and no watcher: one result.
    const { output: files } = output as Rolldown.RolldownOutput;
    return new Map(
      files.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]),
    );
  } finally {
    rmSync(root, { recursive: true });
  }
}
