import type { AgentTurn } from '../../agent.ts';
import { detectLanguage } from '../intents/detect-language.ts';
import { loadReplies, sayIn } from '../intents/replies.ts';
import type { KnowledgeAgentConfig } from '../knowledge-agent-config.ts';
import type { Memory } from '../memory.ts';
import type { Reply } from '../reply.ts';
import { replyToForeignLanguage } from '../small-talk.ts';

// Written in the requested language, because the visitor reads it best.
const SWITCHED: Readonly<Record<string, string>> = {
  de: 'Der Chat ist jetzt auf Deutsch. Meine Hilfeartikel gibt es aber nur auf Englisch, deshalb antworte ich weiter auf Englisch.',
  fr: "Le chat est maintenant en français. Mes articles d'aide n'existent qu'en anglais, mes réponses restent donc en anglais.",
  es: 'El chat está ahora en español. Mis artículos de ayuda solo existen en inglés, así que seguiré respondiendo en inglés.',
  it: 'La chat ora è in italiano. I miei articoli di aiuto esistono solo in inglese, quindi continuerò a rispondere in inglese.',
  nl: 'De chat is nu in het Nederlands. Mijn hulpartikelen zijn er alleen in het Engels, dus ik blijf in het Engels antwoorden.',
  pt: 'O chat está agora em português. Os meus artigos de ajuda só existem em inglês, por isso continuarei a responder em inglês.',
  da: 'Chatten er nu på dansk. Mine hjælpeartikler findes kun på engelsk, så jeg svarer fortsat på engelsk.',
  nb: 'Chatten er nå på norsk. Hjelpeartiklene mine finnes bare på engelsk, så jeg svarer fortsatt på engelsk.',
  sv: 'Chatten är nu på svenska. Mina hjälpartiklar finns bara på engelska, så jag fortsätter att svara på engelska.',
  pl: 'Czat jest teraz po polsku. Moje artykuły pomocy są tylko po angielsku, więc nadal odpowiadam po angielsku.',
};

const primary = (tag: string): string => new Intl.Locale(tag).language;

const nameOf = (code: string): string => new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code;

/**
 * Switches the conversation's language when it is configured or there are articles in it (`translated`), and never pretends
 * that others are translated.
 */
export function switchLanguage(
  wanted: string,
  turn: AgentTurn,
  config: KnowledgeAgentConfig,
  memory: Memory,
  translated: ReadonlySet<string>,
): Reply {
  const articleLanguage = primary(config.languages[0] ?? 'en');
  const supported =
    config.languages.find((tag) => primary(tag) === wanted) ?? (translated.has(wanted) ? wanted : undefined);
  if (supported === undefined) {
    if (wanted !== articleLanguage && loadReplies().has(wanted)) {
      const say = sayIn(wanted, config.replies, turn.history.length);
      return { ...replyToForeignLanguage(say, config, memory), intent: 'language_unavailable', metrics: {} };
    }
    const others = config.languages.map((tag) => nameOf(primary(tag)));
    const offer =
      others.length > 1
        ? ` The chat itself can be switched to ${new Intl.ListFormat('en', { type: 'disjunction' }).format(others)}.`
        : '';
    return {
      intent: 'language_unavailable',
      text: `I'm sorry, I can't switch to ${nameOf(wanted)}: my articles are written in ${nameOf(articleLanguage)}.${offer}`,
    };
  }
  if (translated.has(wanted))
    return {
      intent: 'language',
      languageCode: supported,
      text: sayIn(wanted, config.replies, turn.history.length)('accept'),
    };
  if (primary(turn.language) === wanted) {
    return {
      intent: 'language',
      text: `We are already using ${nameOf(wanted)}. What would you like to know?`,
    };
  }
  if (wanted === articleLanguage) {
    return {
      intent: 'language',
      languageCode: supported,
      text: `Back to ${nameOf(wanted)}. What would you like to know?`,
    };
  }
  const text =
    articleLanguage === 'en' && SWITCHED[wanted] !== undefined
      ? SWITCHED[wanted]
      : `The chat is in ${nameOf(wanted)} now. My help articles exist in ${nameOf(articleLanguage)} only, so my answers stay in ${nameOf(articleLanguage)}.`;
  return { intent: 'language', languageCode: supported, text };
}

/** The language that the visitor's page names, if the agent has sentences in it. */
function namedByPage({ pageContext }: AgentTurn): string | null {
  const [language = ''] = (pageContext?.['language'] ?? '').toLowerCase().split('-');
  return loadReplies().has(language) ? language : null;
}

// The first words of a message show its language.
const MAX_CHARACTERS = 1_500;

/**
 * The tag of the language that the visitor has begun to write in, or before that the one that their page names;
 * `undefined` while the conversation's language stays.
 */
export function followLanguage(
  turn: AgentTurn,
  { languages, greeting }: KnowledgeAgentConfig,
): string | undefined {
  const current = turn.language.slice(0, 2).toLowerCase();
  const written =
    turn.kind !== 'greeting'
      ? detectLanguage(turn.text.slice(0, MAX_CHARACTERS), current)
      : greeting === null
        ? namedByPage(turn)
        : null;
  if (written === null || written === current) return undefined;
  return languages.find((tag) => primary(tag) === written) ?? written;
}
