import { type Setup, toOptions } from './options.ts';

/** Something to paste. */
export interface Snippet {
  readonly id: string;
  readonly name: string;
  /** Where it goes. */
  readonly where: string;
  readonly text: string;
}

// No address that anything could answer at.
const PLACEHOLDER_SITE = 'https://SITE_HOST';

const trimEnd = (address: string): string => address.trim().replace(/(?<!\/)\/+$/, '');
const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const originOf = (address: string): string => (URL.canParse(address) ? new URL(address).origin : address);
const indent = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

/** The address of the token proxy, without a slash at its end; empty where none is known. */
export const proxyOf = ({ attributes }: Setup): string => trimEnd(attributes.endpoint ?? '');

/** Everything there is to paste for a setup with a token proxy. `platformUrl` is where the platform is reached. */
export function writeSnippets(setup: Setup, platformUrl: string): readonly Snippet[] {
  const proxy = proxyOf(setup);
  const options = { endpoint: proxy, ...toOptions({ attributes: withoutEndpoint(setup) }) };
  const hasProperties = Object.keys(setup.properties).length > 0;
  return [
    {
      ...{ id: 'script', name: 'Script tag', text: writeScriptTag(setup, proxy) },
      where: 'Before </body> of every page.',
    },
    ...(hasProperties
      ? [
          {
            ...{ id: 'css', name: 'Style sheet', text: writeStyleSheet(setup) },
            where: 'In a style sheet of the site, for every way of embedding.',
          },
        ]
      : []),
    { id: 'react', name: 'React', where: 'npm install natter', text: writeReact(options, setup) },
    { id: 'vue', name: 'Vue', where: 'npm install natter', text: writeVue(options, setup) },
    { id: 'npm', name: 'npm', where: 'npm install natter', text: writeMount(options, setup) },
    {
      ...{ id: 'headless', name: 'Headless', text: writeHeadless(setup, proxy) },
      where: 'npm install natter. The conversation without a view, so that you can build your own.',
    },
    {
      ...{ id: 'proxy', name: 'Token proxy', text: writeProxy(setup, platformUrl) },
      where: 'Environment of @natter/token-proxy. Add the secrets on your server; they are never shown here.',
    },
    {
      ...{ id: 'csp', name: 'CSP header', text: writePolicy(setup, proxy, platformUrl) },
      where: 'Add these sources to the policy of the site.',
    },
  ];
}

function withoutEndpoint({ attributes: { endpoint: _, ...others } }: Setup): Setup['attributes'] {
  return others;
}

/** The attributes of the script tag besides its address. */
export const tagAttributes = (setup: Setup): readonly (readonly [name: string, value: string])[] =>
  Object.entries(withoutEndpoint(setup)).map(([name, value]) => [`data-${name}`, value]);

/** The tags to paste into a page. */
export function writeScriptTag(setup: Setup, proxy: string): string {
  const attributes = tagAttributes(setup).map(([name, value]) => `  ${name}="${escapeHtml(value)}"`);
  const source = `src="${escapeHtml(proxy)}/natter.js"`;
  const script =
    attributes.length === 0
      ? `<script ${source} defer></script>`
      : ['<script', `  ${source}`, ...attributes, '  defer', '></script>'].join('\n');
  const theme =
    setup.sheet === ''
      ? []
      : [`<link rel="stylesheet" href="${escapeHtml(proxy)}/natter/${setup.sheet}.css">`];
  const place = setup.attributes['render-mode'] === 'inline' ? ['<div id="natter-chat"></div>'] : [];
  return [...theme, ...place, script].join('\n');
}

function writeStyleSheet({ properties }: Setup): string {
  // A value ends where a declaration does: nothing can be added to the rule by an address that was shared.
  const lines = Object.entries(properties).map(
    ([name, value]) => `  ${name}: ${value.replace(/[;{}<]/g, '').trim()};`,
  );
  return ['natter-chat {', ...lines, '}'].join('\n');
}

const importTheme = ({ sheet }: Setup): string =>
  sheet === '' ? '' : `import 'natter/themes/${sheet}.css';\n`;

/** A value as code. `<` is written in another way, so that no text can end a script. */
export const writeValue = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll('<', '\\u003c');

function writeObject(options: object): string {
  const lines = Object.entries(options).map(
    ([name, value]) => `  ${name}: ${indent(writeValue(value), '  ')},`,
  );
  return ['{', ...lines, '}'].join('\n');
}

function writeReact(options: object, setup: Setup): string {
  const properties = Object.entries(options).map(([name, value]) => {
    if (value === true) return name;
    const isPlain = typeof value === 'string' && !/["&<>{}\\\n]/.test(value);
    return isPlain ? `${name}="${value}"` : `${name}={${indent(writeValue(value), '      ')}}`;
  });
  return `${importTheme(setup)}import { NatterChat } from 'natter/react';

export function Chat() {
  return (
    <NatterChat
${properties.map((property) => `      ${property}`).join('\n')}
    />
  );
}`;
}

function writeVue(options: object, setup: Setup): string {
  return `<script setup>
${importTheme(setup)}import { NatterChat } from 'natter/vue';

const options = ${writeObject(options)};
</script>

<template>
  <NatterChat v-bind="options" />
</template>`;
}

function writeMount(options: object, setup: Setup): string {
  return `${importTheme(setup)}import { mount } from 'natter';

const widget = mount(${writeObject(options)});`;
}

function writeHeadless({ attributes }: Setup, endpoint: string): string {
  const { connector } = attributes;
  return `import { createChatClient } from 'natter/client';

const chat = createChatClient(${writeObject({ endpoint, ...(connector && { connector }) })});
chat.subscribe(({ messages }) => console.log(messages));
await chat.start();
chat.send('Hello');`;
}

function writeProxy({ attributes, site }: Setup, platformUrl: string): string {
  const origin = trimEnd(site) === '' ? PLACEHOLDER_SITE : originOf(trimEnd(site));
  const host = origin.replace(/^https?:\/\//, '').replace(/:\d+$/, '');
  const { connector } = attributes;
  const access = connector
    ? [
        `NATTER_CONNECTORS={"${connector.replace(/[^\w.-]/g, '')}":{"token":"CONNECTOR_TOKEN","host":"${host}"}}`,
      ]
    : ['NATTER_CONNECTOR_TOKEN=CONNECTOR_TOKEN', `NATTER_CONNECTOR_HOST=${host}`];
  return [
    `NATTER_UPSTREAM_URL=${platformUrl}`,
    ...access,
    '# npx @natter/token-proxy key makes one; every copy needs the same.',
    'NATTER_TICKET_KEYS=TICKET_KEY',
    `NATTER_ALLOWED_ORIGINS=${origin}`,
  ].join('\n');
}

function writePolicy({ attributes, sheet }: Setup, proxy: string, platformUrl: string): string {
  const host = originOf(proxy);
  const socket = originOf(platformUrl).replace(/^http/, 'ws');
  const avatar = attributes.avatar ?? '';
  const pictures = [
    ...(URL.canParse(avatar) ? [originOf(avatar)] : []),
    ...(attributes['image-hosts'] ?? '')
      .split(/[\s,]+/)
      .filter((name) => name !== '')
      .map((name) => (name === '*' ? 'https:' : `https://${name}`)),
  ];
  return [
    'Content-Security-Policy:',
    `  script-src ${host};`,
    `  connect-src ${host} ${socket};`,
    `  img-src ${["'self'", host, ...new Set(pictures)].filter((each, place, all) => all.indexOf(each) === place).join(' ')}${sheet === '' ? '' : ';'}`,
    ...(sheet === '' ? [] : [`  style-src ${host}`]),
  ].join('\n');
}
