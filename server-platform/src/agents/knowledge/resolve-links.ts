/**
 * Makes links between articles work in a chat: `[fares](vehicle-fares.md)` and
 * `[fares](/help/vehicle-fares)` become links to the help site, or plain
 * text when there is none. Absolute links stay as they are.
 */
export function resolveLinks(markdown: string, helpBaseUrl: string | null): string {
  return markdown.replace(/\[([^\]\n]*)\]\(([^)\s]+)\)/g, (link: string, label: string, target: string) => {
    if (/^(?:https?|mailto|tel):/i.test(target)) return link;
    const slug = /^(?:[\w./-]*\/)?([a-z0-9-]+)(?:\.md)?(#[\w-]*)?$/.exec(target);
    if (slug === null || helpBaseUrl === null) return label;
    return `[${label}](${helpBaseUrl.replace(/\/+$/, '')}/${slug[1]}${slug[2] ?? ''})`;
  });
}
