import { join } from 'node:path';
import type { StartOptions } from '@natter/token-proxy/node';
import { readChatKey, readConnector } from './demo-config.ts';
import { createFileStore } from './site-server/file-store.ts';
import { HelpPages } from './site-server/help-pages.ts';

/** Where the parts of the demo are that its token proxy works with. */
export interface ProxyParts {
  readonly configFile: string;
  readonly dataDir: string;
  readonly platformUrl: string;
  readonly socketUrl: string;
  readonly siteUrl: string;
  readonly allowedOrigins: readonly string[];
  readonly ticketKey: string;
}

/** The folder of visitors' files. */
export const filesDir = (dataDir: string): string => join(dataDir, 'files');

/** Options of the demo's token proxy, except for the files of the widget. */
export function createProxyOptions(parts: ProxyParts): Omit<StartOptions, 'embedDir' | 'port'> {
  const { configFile, dataDir, platformUrl, socketUrl, siteUrl, allowedOrigins, ticketKey } = parts;
  const chatKey = readChatKey(configFile);
  const chat = chatKey && { baseUrl: platformUrl, ...chatKey };
  const help = new HelpPages();
  return {
    upstreamUrl: platformUrl,
    websocketUrl: `${socketUrl}/ws`,
    connectors: { default: { ...readConnector(configFile), ...(chat && { chat }) } },
    ticketKeys: [ticketKey],
    allowedOrigins,
    // All visitors of the demo share one machine and so one address.
    limits: {
      sessionsPerClient: 0,
      resumesPerClient: 0,
      turnsPerClient: 0,
      uploadsPerClient: 0,
      searchesPerClient: 0,
    },
    onSearch: ({ query }) => {
      const found = query ? help.search(query) : help.mostRead().map((article) => ({ article, excerpt: '' }));
      return found.map(({ article: { slug, title }, excerpt }) => ({
        ...{ id: slug, title, excerpt },
        url: `${siteUrl}/help/${slug}`,
      }));
    },
    onArticle({ id }) {
      const article = help.find(id);
      return article && { title: article.title, url: `${siteUrl}/help/${id}`, text: article.body };
    },
    uploads: { onUpload: createFileStore(filesDir(dataDir), () => `${siteUrl}/files`).onUpload },
    // A demo has no mail server: the terminal shows what a site's own code would send on.
    onContactRequest: ({ email, text }) => console.log(`Contact request from ${email}: ${text}`),
    logLevel: 'warn',
  };
}
