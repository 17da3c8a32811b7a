import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { compileScript, parse } from 'vue/compiler-sfc';

/** Snippets for projects with a bundler. */
export type SnippetKind = 'React' | 'Vue' | 'npm';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = 'main.tsx';
/** The widget's own sources, which are bundled too, use Preact. */
const REACT = '/** @jsxImportSource react */\n';

/** Returns the snippet's file, and a file that starts it where a project has its own root. */
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

/** Builds a snippet like a customer's bundler; returns the files by path, including `/main.js`. */
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
    // One input without a watcher gives one result.
    const { output: files } = output as Rolldown.RolldownOutput;
    return new Map(
      files.map((file) => [`/${file.fileName}`, file.type === 'chunk' ? file.code : file.source]),
    );
  } finally {
    rmSync(root, { recursive: true });
  }
}
