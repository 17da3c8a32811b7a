import { createNatter } from '@natter/sdk';
import { expect, it } from 'vitest';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import { startTranslator } from '../../../test/records/translation/translator.ts';
import { loadConfig } from '../../app/config/index.ts';
import { parseConfigFile } from '../../app/config/load-config.ts';
import { startPlatform } from '../../app/start-platform.ts';
import { createLogger } from '../../kit/logger.ts';

const CHAT_KEY = 'nak_key-of-a-translated-project';
const CONNECTOR_TOKEN = 'nct_token-of-a-translated-project';

it('translates the turns of a project with an endpoint in the background (CV-15)', async () => {
  await using translator = await startTranslator();
  const clock = createSkippingClock();
  const { accounts } = parseConfigFile(
    JSON.stringify({
      accounts: [
        {
          slug: 'ferries',
          projects: [
            {
              slug: 'web',
              agent: 'kittiwake',
              translation: { endpoint: translator.url, model: 'small', apiKey: 'sk-translate' },
              connectors: [{ name: 'site', token: CONNECTOR_TOKEN, hosts: ['localhost'] }],
              keys: [{ name: 'all', key: CHAT_KEY, permissions: ['chat', 'conversations'] }],
            },
          ],
        },
      ],
    }),
    'natter.json',
  );
  const platform = await startPlatform({
    config: { ...(await loadConfig({}, {})), accounts },
    dataDir: 'memory',
    port: 0,
    logger: createLogger('silent'),
    clock,
  });
  try {
    const natter = createNatter({
      baseUrl: platform.url,
      monitorBaseUrl: platform.url,
      apiKey: CHAT_KEY,
      connectorToken: CONNECTOR_TOKEN,
      accountId: 'ferries',
      projectId: 'web',
    });
    const { conversation_id: id } = await natter.chat.create();
    await natter.chat.respond({ conversation_id: id, message: 'Can I bring my dog?' });
    const turns = async (): Promise<readonly unknown[]> => {
      clock.skip(5_000);
      const { conversations } = await natter.conversations.v3.list();
      return conversations.flatMap((record) => record.turns ?? []);
    };
    await expect.poll(turns).toMatchObject([
      {
        translated_user_input: '',
        english_agent_response: expect.stringMatching(/^English: Hello, I'm Ada/),
      },
      {
        translated_user_input: 'English: Can I bring my dog?',
        english_agent_response: expect.stringMatching(/^English: /),
      },
    ]);
    // A passage that no article has in the visitor's language is translated for the visitor, once.
    for (const message of ['Darf ich meinen Hund mitbringen?', 'Darf mein Hund mit?']) {
      const chat = await natter.chat.create();
      const answer = await natter.chat.respond({ conversation_id: chat.conversation_id, message });
      expect(JSON.stringify(answer)).toContain('Automatisch übersetzt:\\n\\nGerman: ');
    }
    expect(translator.asked.filter(({ system }) => system.includes('into German'))).toHaveLength(1);
  } finally {
    await platform.close();
  }
});

it('reports a translation that cannot work with its setting, and never with the key', () => {
  const withTranslation = (translation: object): string =>
    JSON.stringify({ accounts: [{ slug: 'a', projects: [{ slug: 'b', translation }] }] });
  const refused = (translation: object): string => {
    try {
      parseConfigFile(withTranslation(translation), 'natter.json');
    } catch (error) {
      return String(error);
    }
    return 'accepted';
  };
  expect(refused({ endpoint: 'ftp://x', model: 'm' })).toMatch(/translation\.endpoint.*http/);
  expect(refused({ endpoint: 'https://x' })).toMatch(/translation/);
  expect(refused({ endpoint: 'https://x', model: 'm', apiKey: 'sk two' })).not.toContain('sk two');
  expect(refused({ endpoint: 'https://x', model: 'm', language: 'not a tag' })).toMatch(/language/);
});
