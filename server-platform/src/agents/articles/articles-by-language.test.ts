import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionsOf, messageTurn, textOf } from '../../../test/agents/agent-turn.ts';
import {
  calls,
  type Script,
  says,
  startScriptedEndpoint,
} from '../../../test/agents/llm/scripted-endpoint.ts';
import type { Agent, AgentAction } from '../agent.ts';
import { type AgentSource, loadAgent } from '../create-agent.ts';
import type { TranslatePassage } from './passages/translations.ts';

/** Title, question and text of articles by their files. */
const ARTICLES: Readonly<Record<string, readonly [title: string, question: string, text: string]>> = {
  parking: ['Parking', 'Where can I park?', 'Behind the house there are eight spaces.'],
  dogs: ['Dogs', 'Can I bring my dog?', 'Dogs are welcome on a lead.'],
  bicycles: ['Bicycles', 'Where can I leave my bicycle?', 'There is a stand for bicycles at the door.'],
  'de/parking': ['Parken', 'Wo kann ich parken?', 'Hinter dem Haus gibt es acht Plätze, [Hunde](dogs.md).'],
  'de/bicycles': ['Abstellplätze', 'Kann ich es abstellen?', 'An der Tür steht ein Ständer.'],
  'ja/parking': ['駐車場', 'どこに車を停められますか？', '建物の裏に8台分の駐車場があります。'],
};

const folders: string[] = [];

async function folderOf(articles: typeof ARTICLES): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'natter-languages-'));
  folders.push(folder);
  for (const [slug, [title, question, text]] of Object.entries(articles)) {
    const file = join(folder, `${slug}.md`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `---\ntitle: ${title}\nquestions: ["${question}"]\n---\n${text}\n`);
  }
  return folder;
}

async function load(articles: typeof ARTICLES, languages?: readonly string[]): Promise<AgentSource> {
  return await loadAgent({
    ...{ kind: 'knowledge', name: 'Ada', knowledgeFolder: await folderOf(articles) },
    ...{ helpBaseUrl: 'https://help.example', pacing: { minMs: 0, maxMs: 0 } },
    ...(languages && { languages }),
  });
}

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true });
});

describe('articles in several languages', () => {
  let agent: Agent;
  beforeAll(async () => {
    const source = await load(ARTICLES);
    agent = (await source.build(source.articles)).agent;
  });
  const ask = async (text: string, language = 'en'): Promise<readonly AgentAction[]> =>
    await actionsOf(agent, messageTurn(text, { language }));

  it('answer a visitor in the language that the visitor writes', async () => {
    const actions = await ask('Wo kann ich bei Ihnen parken?');
    expect(textOf(actions)).toBe(
      'Hinter dem Haus gibt es acht Plätze, [Hunde](https://help.example/de/dogs).',
    );
    expect(actions).toContainEqual({ type: 'language', languageCode: 'de' });
    // Both languages count as one subject.
    expect(actions).toContainEqual({ type: 'intent', name: 'parking' });
    expect(actions).toContainEqual(
      expect.objectContaining({
        attachment: expect.objectContaining({ content_url: 'https://help.example/de/parking' }),
      }),
    );
    expect(textOf(await ask('Where can I park?'))).toContain('eight spaces');
    expect(textOf(await ask('車はどこに停められますか', 'ja'))).toBe('建物の裏に8台分の駐車場があります。');
  });

  it('say in one sentence that an article is there in the main language only', async () => {
    expect(textOf(await ask('Darf ich meinen Hund mitbringen?', 'de'))).toBe(
      'Diesen Artikel gibt es leider nur auf Englisch:\n\nDogs are welcome on a lead.',
    );
  });

  it('show the translation where only the article of the main language was found', async () => {
    expect(textOf(await ask('Wohin mit dem Fahrrad?', 'de'))).toBe('An der Tür steht ein Ständer.');
  });

  it('have no answer without claiming that there are none in the language', async () => {
    const text = textOf(await ask('Verkaufen Sie Pizza?', 'de'));
    expect(text).toContain('Das weiß ich leider nicht.');
    expect(text).not.toContain('Englisch');
    expect(textOf(await ask('Vendez-vous des pizzas ?', 'fr'))).toContain(
      "n'existent malheureusement qu'en anglais",
    );
  });

  it('are not announced by a greeting, and are offered to visitors who ask for the language', async () => {
    expect(textOf(await ask('Hallo!', 'de'))).toBe('Hallo! Wie kann ich helfen?');
    expect(textOf(await ask('Bonjour !', 'fr'))).toContain("Mes articles d'aide n'existent qu'en anglais.");
    const actions = await ask('Können wir bitte Deutsch sprechen?');
    expect(textOf(actions)).toBe('Gern. Was möchten Sie wissen?');
    expect(actions).toContainEqual({ type: 'language', languageCode: 'de' });
  });

  it('follow up on the subject of the answer before', async () => {
    const state = Object.assign(
      {},
      ...(await ask('Wo kann ich parken?', 'de')).map((action) =>
        action.type === 'state' ? action.set : {},
      ),
    );
    const history = [{ author: 'agent' as const, text: 'Hinter dem Haus gibt es acht Plätze.' }];
    const turn = messageTurn('And where do I leave my bicycle?', { language: 'de', state, history });
    expect(textOf(await actionsOf(agent, turn))).toContain('stand for bicycles');
  });

  it('are prepared when they are first needed, once', async () => {
    const source = await load(ARTICLES);
    const { translations } = await source.build(source.articles);
    expect([...translations.keys()].sort()).toEqual(['de', 'ja']);
    const first = translations.get('de')?.();
    expect(translations.get('de')?.()).toBe(first);
    expect((await first)?.articles.map(({ slug }) => slug)).toEqual(['de/bicycles', 'de/parking']);
  });
});

describe('an article that is not translated', () => {
  it('is shown in the words of the endpoint that translates for the project', async () => {
    const source = await load(ARTICLES);
    const asked: unknown[] = [];
    const translate: TranslatePassage = async (projectId, passage, language) => {
      asked.push([projectId, passage, language]);
      return projectId === 'PROJECT-1' ? 'Hunde sind an der Leine willkommen.' : null;
    };
    const { agent } = await source.build(source.articles, { translate });
    const ask = async (projectId: string | undefined): Promise<string> =>
      textOf(
        await actionsOf(
          agent,
          messageTurn('Darf ich meinen Hund mitbringen?', {
            language: 'de',
            ...(projectId && { projectId }),
          }),
        ),
      );
    expect(await ask('PROJECT-1')).toBe('Automatisch übersetzt:\n\nHunde sind an der Leine willkommen.');
    expect(asked).toEqual([['PROJECT-1', 'Dogs are welcome on a lead.', 'de']]);
    const untranslated = 'Diesen Artikel gibt es leider nur auf Englisch:\n\nDogs are welcome on a lead.';
    expect(await ask('PROJECT-2')).toBe(untranslated);
    // A trial of the console.
    expect(await ask(undefined)).toBe(untranslated);
    expect(asked).toHaveLength(2);
  });

  it('is shown as it is when the endpoint fails, which is reported', async () => {
    const source = await load(ARTICLES);
    const failures: unknown[] = [];
    const { agent } = await source.build(source.articles, {
      translate: async () => await Promise.reject(new Error('away')),
      onFailure: (what, error) => void failures.push([what, error]),
    });
    const turn = messageTurn('Darf ich meinen Hund mitbringen?', { language: 'de', projectId: 'PROJECT-1' });
    expect(textOf(await actionsOf(agent, turn))).toContain('nur auf Englisch:\n\nDogs are welcome');
    expect(failures).toEqual([['translate a passage', expect.objectContaining({ message: 'away' })]]);
  });
});

describe('a company whose main language is not English', () => {
  it('is answered in that language, and in English where it has an article', async () => {
    const source = await load(
      {
        parken: ['Parken', 'Wo kann ich parken?', 'Hinter dem Haus gibt es acht Plätze.'],
        hunde: ['Hunde', 'Darf ich meinen Hund mitbringen?', 'Hunde sind an der Leine willkommen.'],
        'en/parken': ['Parking', 'Where can I park?', 'Behind the house there are eight spaces.'],
      },
      ['de'],
    );
    const { agent } = await source.build(source.articles);
    const ask = async (text: string, language: string): Promise<string> =>
      textOf(await actionsOf(agent, messageTurn(text, { language })));
    expect(await ask('Darf mein Hund auch mit?', 'de')).toBe('Hunde sind an der Leine willkommen.');
    expect(await ask('Where can I park?', 'en')).toBe('Behind the house there are eight spaces.');
    expect(await ask('¿Dónde puedo aparcar?', 'es')).toContain('solo existen en alemán');
  });
});

describe('folders of languages', () => {
  it('are refused where the agent does not know the language', async () => {
    const articles = {
      parking: ARTICLES['parking'] ?? expect.fail(),
      'sv/parking': ['a', 'b', 'c'] as const,
    };
    await expect(load(articles)).rejects.toThrow(/languages that the agent does not know: sv\./);
  });

  it('are refused for the language of the articles beside them', async () => {
    const articles = { parken: ['a', 'b', 'c'] as const, 'de/parken': ['a', 'b', 'c'] as const };
    await expect(load(articles, ['de', 'en'])).rejects.toThrow(/Move the articles of .*\/de into/);
  });
});

it('a model finds the articles in the language of the visitor before those in the main one', async () => {
  const search = (query: string): Script =>
    calls({ name: 'search_knowledge', arguments: JSON.stringify({ query }) });
  await using endpoint = await startScriptedEndpoint(
    search('parken parking'),
    says('Acht Plätze [1].'),
    search('dogs'),
    says('Ja [1].'),
  );
  const source = await loadAgent({
    ...{ kind: 'llm', name: 'Ada', greeting: 'Hello.', url: endpoint.url, model: 'm', systemPrompt: 'Help.' },
    ...{ knowledgeFolder: await folderOf(ARTICLES), helpBaseUrl: 'https://help.example' },
  });
  const { agent } = await source.build(source.articles);
  const cards = async (text: string): Promise<readonly unknown[]> =>
    (await actionsOf(agent, messageTurn(text))).flatMap((action) =>
      action.type === 'attachment' ? [action.attachment.content_url] : [],
    );
  expect(await cards('Wo kann ich bei Ihnen parken?')).toEqual(['https://help.example/de/parking']);
  expect(endpoint.requests[1]?.text).toContain('Hinter dem Haus');
  // One language of an article is enough.
  expect(endpoint.requests[1]?.text).not.toContain('eight spaces');
  expect(await cards('Darf mein Hund bei Ihnen mit?')).toEqual(['https://help.example/dogs']);
});
