/** The operator's message when the proxy is listening: its address, and the tag for pages. */
export function writeWelcome({
  url,
  servesWidget,
  connectors,
}: {
  /** Base URL of the proxy on this machine, mount path included. */
  readonly url: string;
  /** Whether the proxy serves `natter.js`. */
  readonly servesWidget: boolean;
  /** Names of the proxy's connectors. */
  readonly connectors: readonly string[];
}): string {
  const [first = 'default'] = connectors;
  const connector = connectors.includes('default') ? '' : ` data-connector="${escapeAttribute(first)}"`;
  const tag = servesWidget
    ? `<script src="${url}/natter.js"${connector} defer></script>`
    : `<script src="/natter.js" data-endpoint="${url}"${connector} defer></script>`;
  const files = servesWidget
    ? ''
    : 'It does not serve the widget. Copy node_modules/natter/dist/embed to your site, or set NATTER_EMBED_DIR to that folder.\n';
  return `The token proxy listens on ${url}
${files}Paste this tag into your pages, with the address under which visitors reach the proxy:

  ${tag}

`;
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
