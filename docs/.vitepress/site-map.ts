import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REPOSITORY = 'https://github.com/natter-chat/natter/blob/main';

const markdownIn = (folder: string): readonly string[] =>
  readdirSync(`${ROOT}/${folder}`).filter((name) => name.endsWith('.md'));

/** Pages of the site by their files in the repository; the same files are read on the code host and in the packages. */
export const PAGES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(markdownIn('docs').map((name) => [`docs/${name}`, name])),
  ...Object.fromEntries(
    markdownIn('docs/protocol').map((name) => [`docs/protocol/${name}`, `protocol/${name}`]),
  ),
  'docs/protocol/README.md': 'protocol/index.md',
  ...Object.fromEntries(
    markdownIn('docs/architecture').map((name) => [`docs/architecture/${name}`, `architecture/${name}`]),
  ),
  'server-platform/README.md': 'platform-package.md',
  'server-sdk/README.md': 'sdk.md',
  'server-token-proxy/README.md': 'token-proxy.md',
  'ARCHITECTURE.md': 'architecture/index.md',
  'CONTRIBUTING.md': 'contributing.md',
};

/**
 * Returns the address of a link on the site: a page of the site below `base`, the file at the code host for what is no
 * page, and the link itself for addresses and anchors.
 *
 * @param file the page with the link, as a path in the repository
 */
export function siteLink(link: string, file: string, base: string): string {
  if (/^(?:[a-z]+:|#|\/)/.test(link)) return link;
  const [path = '', anchor] = link.split('#');
  const target = posix.join(posix.dirname(file), decodeURI(path));
  const fragment = anchor === undefined ? '' : `#${anchor}`;
  if (target === 'README.md') return `${base}${fragment}`;
  const page = PAGES[target];
  if (page === undefined) return `${REPOSITORY}/${target}${fragment}`;
  return `${base}${page.replace(/(?:^|(?<=\/))index\.md$|\.md$/, '')}${fragment}`;
}

/** Returns the anchor of a heading as the code host makes it, so that a link works in both places. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
    .replaceAll(' ', '-');
}
