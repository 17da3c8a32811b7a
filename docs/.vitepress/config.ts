import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { codeTheme, stylesToClasses } from './code-colours.ts';
import { SIDEBAR } from './navigation.ts';
import { anchorOf, PAGES, siteLink } from './site-map.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BASE = '/docs/';
const OUT = `${ROOT}server-platform/docs`;

/** Moves the inline scripts of a page into files and drops inline styles, because its policy allows neither. */
function obeyPolicy(html: string): string {
  const withoutStyles = html.replaceAll(/ style="(?:(?:position:relative|--vp-vh:0px);)?"/g, '');
  return withoutStyles.replace(/<script( id="[^"]*")?>([\s\S]*?)<\/script>/g, (_, _id, code: string) => {
    const name = `assets/inline.${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
    mkdirSync(`${OUT}/assets`, { recursive: true });
    writeFileSync(`${OUT}/${name}`, code);
    return `<script src="${BASE}${name}"></script>`;
  });
}

export default defineConfig({
  title: 'Natter',
  description: 'The chat widget, the token proxy, and the platform behind them.',
  lang: 'en',
  base: BASE,
  srcDir: '..',
  outDir: OUT,
  cleanUrls: true,
  metaChunk: true,
  srcExclude: [
    'README.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'examples/**',
    'test/**',
    'labs/**',
    'server-platform/{docs,knowledge,src}/**',
  ],
  // The switch of colours would add a style element, which the policy refuses.
  appearance: { disableTransition: false },
  rewrites: { ...PAGES },
  transformHtml: obeyPolicy,
  // The repository's own file builds the widget.
  vite: { configFile: false, publicDir: 'public' },
  head: [['link', { rel: 'icon', href: `${BASE}natter-mark.svg` }]],
  markdown: {
    theme: codeTheme,
    codeTransformers: [stylesToClasses],
    languageAlias: { nginx: 'ini', caddyfile: 'ini' },
    anchor: { slugify: anchorOf },
    toc: { slugify: anchorOf },
    config(md) {
      // Pages are plain Markdown: braces in code are no expressions of Vue.
      md.renderer.rules.code_inline = (tokens, index) =>
        `<code v-pre>${md.utils.escapeHtml(tokens[index]?.content ?? '')}</code>`;
      md.core.ruler.push('site-links', ({ tokens, env }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.type === 'link_open' ? token.attrGet('href') : null;
          if (href) token.attrSet('href', siteLink(href, relative(ROOT, env.realPath ?? env.path), '/'));
        }
      });
    },
  },
  themeConfig: {
    logo: '/natter-mark.svg',
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Recipes', link: '/recipes' },
      { text: 'Configuration', link: '/configuration' },
      { text: 'Protocol', link: '/protocol/' },
    ],
    sidebar: SIDEBAR,
    docFooter: { prev: 'Before', next: 'Next' },
    externalLinkIcon: true,
  },
});
