import type { Topic } from './overview.ts';

/** A question, and the conversation it was asked in. */
export type Question = Topic['questions'][number];

const MAX_TOPICS = 20;
const MAX_EXAMPLES = 5;
// Shorter words say little about a topic in any of the languages.
const MIN_CHARACTERS = 4;
/** Words that questions of any topic hold, in the languages of the seeded conversations. */
const FILLERS = new Set(
  [
    'about after also been before can could does from have here how into just like more much need only please should tell than that their them then there they this want what when where which while will with would your',
    'aber auch bitte dann dass denn diese dieser doch eine einen einer gestern habe haben hier ihre kann können könnte mein meine meinen mich mehr möchte muss nach nicht noch oder sich sind über wann warum welche wenn werden wird wieder wohin',
    'aussi avec avez avoir cette combien comme comment dans depuis elle elles êtes faire faut leur mais même nous plus pour pourquoi puis quand quel quelle quelles quels sans sont suis votre vous',
    'algo aquí como cómo cuál cuáles cuándo cuánto desde donde dónde esta este está estoy hacer hasta hola mucho nada para pero porque puede puedo quién quiénes sobre tengo tiene todo',
  ].flatMap((words) => words.split(' ')),
);

/**
 * Groups questions by the word that most of them share: the commonest word takes its questions, then the commonest of the
 * rest, and so on. Questions without such a term are left out.
 */
export function groupByTopic(questions: readonly Question[]): Topic[] {
  let rest = questions.map((question) => ({ question, words: readWords(question.question) }));
  const counts = new Map<string, number>();
  const count = (words: ReadonlySet<string>, by: 1 | -1): void => {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + by);
  };
  for (const { words } of rest) count(words, 1);
  const topics: Topic[] = [];
  while (topics.length < MAX_TOPICS) {
    let [best, most] = ['', 0];
    for (const [word, many] of counts) if (many > most) [best, most] = [word, many];
    if (most === 0) break;
    const its = rest.filter(({ words }) => words.has(best));
    topics.push({
      word: best,
      count: most,
      questions: its.slice(0, MAX_EXAMPLES).map(({ question }) => question),
    });
    for (const { words } of its) count(words, -1);
    rest = rest.filter(({ words }) => !words.has(best));
  }
  return topics;
}

function readWords(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return new Set(words.filter((word) => word.length >= MIN_CHARACTERS && !FILLERS.has(word)));
}
