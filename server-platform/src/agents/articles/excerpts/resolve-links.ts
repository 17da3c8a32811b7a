const LINK = /\[([^[\]\n]*)\]\(([^)\s[]+)\)/g;
const ARTICLE = /^(?:\/?help\/|\.\/)?([a-z0-9-]+)(?:\.md)?(#[\w-]+)?$/;

/**
 * Makes links between articles work in a chat: `[fares](car-fares.md)`, `[fares](car-fares)` and
 * `[fares](/help/car-fares)` become links to the help site, or plain text when there is none. Absolute links stay as
 * they are; a link that leads nowhere from a chat becomes plain text. Translated articles link to others of their `language`.
 */
export function resolveLinks(
  markdown: string,
  helpBaseUrl: string | null,
  language: string | null = null,
): string {
  const folder = language === null ? '' : `/${language}`;
  return markdown.replace(LINK, (link: string, label: string, target: string) => {
    if (/^(?:https?|mailto|tel):/i.test(target)) return link;
    const [, slug, anchor = ''] = ARTICLE.exec(target) ?? [];
    if (slug === undefined || helpBaseUrl === null) return label;
    return `[${label}](${helpBaseUrl.replace(/(?<!\/)\/+$/, '')}${folder}/${slug}${anchor})`;
  });
}
