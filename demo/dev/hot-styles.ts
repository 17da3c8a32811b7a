import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const CLIENT = fileURLToPath(new URL('./follow-style.ts', import.meta.url));

/**
 * Lets style sheets that are imported as text be edited without a reload, as Vite does for the sheets that it adds to the
 * page.
 */
export function hotStyles(): Plugin {
  return {
    name: 'natter-hot-styles',
    apply: 'serve',
    enforce: 'post',
    // Vite does not replace such a module alone. The edited file may be one that the sheet imports.
    hotUpdate({ modules }) {
      for (const module of modules)
        for (const sheet of [module, ...module.importers])
          if (sheet.id?.includes('.css?inline')) sheet.isSelfAccepting = true;
    },
    transform: {
      filter: { id: /\.css\?inline/ },
      handler: (code) => ({
        code: `import { followStyle } from ${JSON.stringify(CLIENT)};
${code.replace('export default', 'const text =')}
export default text;
if (import.meta.hot) {
  import.meta.hot.accept();
  if (!followStyle(import.meta.hot.data, text)) import.meta.hot.invalidate();
}
`,
        map: null,
      }),
    },
  };
}
