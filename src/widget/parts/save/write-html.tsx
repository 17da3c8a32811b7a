import { renderToString } from 'preact-render-to-string';
import type { Strings } from '../../locales/catalogue.ts';
import css from './page.css?inline';
import { renderPage } from './render-page.tsx';
import type { SavedConversation } from './saved-conversation.ts';

/**
 * Writes the conversation as one self-contained HTML file. Its CSP forbids requests and scripts. Pictures are links, so
 * that opening the file sends no request to their servers.
 */
export function writeHtml(conversation: SavedConversation, strings: Strings): string {
  const { title, language, direction } = conversation;
  const html = renderToString(
    <html lang={language} dir={direction}>
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>{title}</title>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a file of this folder, which must not be escaped */}
        <style dangerouslySetInnerHTML={{ __html: css }} />
      </head>
      <body>{renderPage(conversation, strings)}</body>
    </html>,
  );
  return `<!doctype html>\n${html}\n`;
}
