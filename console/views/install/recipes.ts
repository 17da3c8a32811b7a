import type { Setup } from './options.ts';
import { proxyOf, type Snippet, tagAttributes, writeScriptTag, writeValue } from './snippets.ts';

/** Snippets for site builders and frameworks, with the place to paste each. */
export function writeRecipes(setup: Setup): readonly Snippet[] {
  const tag = writeScriptTag(setup, proxyOf(setup));
  // Templates read braces. All of them are in values, where HTML reads this as the same sign.
  const templateTag = tag.replaceAll('{', '&#123;');
  return [
    {
      ...{ id: 'wordpress', name: 'WordPress', text: tag },
      where: 'Install a plugin for code, such as WPCode, and paste this into its footer box.',
    },
    {
      ...{ id: 'shopify', name: 'Shopify', text: templateTag },
      where: 'Online Store → Themes → Edit code → layout/theme.liquid, before </body>.',
    },
    {
      ...{ id: 'tag-manager', name: 'Google Tag Manager', text: writeTagManager(setup) },
      where: 'A new tag of the type Custom HTML, triggered on all pages.',
    },
    {
      ...{ id: 'webflow', name: 'Webflow', text: tag },
      where: 'Site settings → Custom code → Footer code. Publish the site afterwards.',
    },
    {
      ...{ id: 'squarespace', name: 'Squarespace', text: tag },
      where: 'Settings → Developer tools → Code injection → Footer.',
    },
    {
      ...{ id: 'next', name: 'Next.js', text: writeNext(setup) },
      where: 'In app/layout.tsx: the import at the top, the rest before </body>.',
    },
    {
      ...{ id: 'rails', name: 'Rails', text: tag },
      where: 'In app/views/layouts/application.html.erb, before </head>, so that Turbo runs it once.',
    },
    {
      ...{ id: 'django', name: 'Django', text: templateTag },
      where: 'In the template that all others extend, such as base.html, before </body>.',
    },
  ];
}

/** Google Tag Manager takes attributes away from tags, and reads scripts as ECMAScript 5. */
function writeTagManager(setup: Setup): string {
  const proxy = proxyOf(setup);
  const attributes = tagAttributes(setup).map(
    ([name, value]) => `    script.setAttribute('${name}', ${writeValue(value)});`,
  );
  const theme =
    setup.sheet === ''
      ? []
      : [
          "    var theme = document.createElement('link');",
          "    theme.rel = 'stylesheet';",
          `    theme.href = ${writeValue(`${proxy}/natter/${setup.sheet}.css`)};`,
          '    document.head.appendChild(theme);',
        ];
  return [
    '<script>',
    '  (function () {',
    ...theme,
    "    var script = document.createElement('script');",
    `    script.src = ${writeValue(`${proxy}/natter.js`)};`,
    ...attributes,
    '    document.head.appendChild(script);',
    '  })();',
    '</script>',
  ].join('\n');
}

function writeNext(setup: Setup): string {
  const proxy = proxyOf(setup);
  const attributes = [['src', `${proxy}/natter.js`] as const, ...tagAttributes(setup)].map(
    ([name, value]) => `  ${name}={${writeValue(value)}}`,
  );
  const theme =
    setup.sheet === ''
      ? []
      : [
          `<link rel="stylesheet" href={${writeValue(`${proxy}/natter/${setup.sheet}.css`)}} precedence="default" />`,
        ];
  return ["import Script from 'next/script';", '', ...theme, '<Script', ...attributes, '/>'].join('\n');
}
