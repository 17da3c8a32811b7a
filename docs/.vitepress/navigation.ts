import type { DefaultTheme } from 'vitepress';

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link });

/** The sidebar: every page of the site stands here once. */
export const SIDEBAR: DefaultTheme.SidebarItem[] = [
  {
    text: 'Start in five minutes',
    items: [
      page('Site owners', '/start-site'),
      page('React, Vue, JavaScript', '/start-developer'),
      page('Apps, other languages', '/start-client'),
      page('Operators', '/start-operator'),
      page('QA', '/start-qa'),
    ],
  },
  {
    text: 'On your site',
    items: [
      page('Recipes', '/recipes'),
      page('Embedding', '/embedding'),
      page('Theming', '/theming'),
      page('Your own view', '/own-view'),
      page('Headless client', '/client'),
      page('Transcripts', '/transcripts'),
      page('Accessibility', '/accessibility'),
      page('Troubleshooting', '/troubleshooting'),
    ],
  },
  {
    text: 'On your servers',
    items: [
      page('Deployment', '/deployment'),
      page('Containers, Kubernetes', '/deployment-containers'),
      page('When a node fails', '/deployment-nodes'),
      page('Cloudflare, Fly, CDN', '/deployment-edges'),
      page('Token proxy', '/token-proxy'),
      page('Token proxy in your server', '/token-proxy-servers'),
      page('Platform', '/platform'),
      page('Platform in a program', '/platform-package'),
      page('Models', '/models'),
      page('Your own bot', '/own-agent'),
      page('Desk', '/desk'),
      page('Console', '/console'),
      page('Configuration', '/configuration'),
      page('Metrics', '/metrics'),
      page('Scaling', '/scaling'),
      page('Upgrades', '/upgrades'),
    ],
  },
  {
    text: 'Protocol and APIs',
    items: [
      page('Protocol', '/protocol/'),
      page('Messaging', '/protocol/messaging'),
      page('REST', '/protocol/rest'),
      page('Webhooks', '/protocol/webhooks'),
      page('SDK', '/sdk'),
    ],
  },
  {
    text: 'Trust',
    items: [page('Security', '/security'), page('Privacy', '/privacy')],
  },
  {
    text: 'Inside',
    items: [
      page('Architecture', '/architecture/'),
      page('The path of a message', '/architecture/message-path'),
      page('The browser', '/architecture/browser'),
      page('Ownership and nodes', '/architecture/ownership'),
      page('Storage and retention', '/architecture/retention'),
      page('Inside the console', '/architecture/console'),
      page('Decisions', '/architecture/decisions'),
      page('Recordings', '/recordings'),
      page('Measurements', '/measurements'),
      page('Experiments', '/measurements-tried'),
      page('Faults of other widgets', '/field-notes'),
      page('Contributing', '/contributing'),
      page('Writing style', '/words'),
      page('Working on Natter', '/development'),
    ],
  },
];
