import type { Strings } from '../strings/catalogue.ts';
import { drawPage } from './conversation-page.tsx';
import css from './page.css?inline';
import type { SavedConversation } from './saved-conversation.ts';
import { escapeHtml, toHtml } from './to-html.ts';

/**
 * The conversation as one HTML file that needs nothing else: it fetches nothing and runs no script, and its own policy
 * says so. Pictures are links, so that opening the file tells nobody.
 */
export function writeHtml(conversation: SavedConversation, strings: Strings): string {
  const { title, language, direction } = conversation;
  return `<!doctype html>
<html lang="${escapeHtml(language)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(title)}</title>
<style>${css}</style>
</head>
<body>
${toHtml(drawPage(conversation, strings))}
</body>
</html>
`;
}
