import type { EvalOutcome, Evaluate } from '../../server-platform/src/agents/evaluation/evaluate.ts';
import type {
  EvalConversation,
  EvalConversations,
} from '../../server-platform/src/agents/evaluation/load-conversations.ts';

/** An agent that is compared with others. */
export interface Contender {
  readonly label: string;
  readonly evaluate: Evaluate;
  /** Whether it is a model, whose time and tokens are printed. */
  readonly isModel: boolean;
}

/** Prices of a million tokens, in any currency. */
export interface Prices {
  readonly prompt: number;
  readonly answer: number;
}

/** Settings and output of the comparison. */
export interface ComparisonOptions {
  /** One category alone. */
  readonly only?: string | undefined;
  /** Whether answers that did not pass are printed. */
  readonly showsFailures: boolean;
  readonly prices: Prices | null;
  readonly print: (line: string) => void;
}

const LABEL_WIDTH = 22;
const COLUMN_WIDTH = 20;

const column = (text: string): string => text.padEnd(COLUMN_WIDTH);
const passedOf = (outcomes: readonly EvalOutcome[]): number =>
  outcomes.filter(({ problems }) => problems.length === 0).length;

/** Lets agents answer a company's conversations, and prints a table of those that passed; returns all outcomes by label. */
export async function compareAgents(
  conversations: EvalConversations,
  contenders: readonly Contender[],
  options: ComparisonOptions,
): Promise<ReadonlyMap<string, readonly EvalOutcome[]>> {
  const { only, showsFailures, print } = options;
  const all = new Map<string, EvalOutcome[]>(contenders.map(({ label }) => [label, []]));
  const printRow = (
    title: string,
    outcomes: readonly (readonly EvalOutcome[])[],
    withShare = false,
  ): void => {
    const cells = outcomes.map((each) => {
      const share = withShare ? ` (${Math.round((100 * passedOf(each)) / Math.max(1, each.length))} %)` : '';
      return column(`${passedOf(each)} of ${each.length}${share}`);
    });
    print(`${title.padEnd(LABEL_WIDTH)}${cells.join('')}`.trimEnd());
  };
  print(`${''.padEnd(LABEL_WIDTH)}${contenders.map(({ label }) => column(label)).join('')}`.trimEnd());
  for (const set of ['tuning', 'held-out']) {
    const ofSet = contenders.map((): EvalOutcome[] => []);
    for (const [path, list] of conversations) {
      const category = path.slice(set.length + 1);
      if (path !== `${set}/${category}` || (only ?? category) !== category) continue;
      const row: (readonly EvalOutcome[])[] = [];
      for (const [position, { label, evaluate }] of contenders.entries()) {
        const outcomes = await evaluateAll(evaluate, list);
        row.push(outcomes);
        ofSet[position]?.push(...outcomes);
        all.get(label)?.push(...outcomes);
      }
      printRow(`${set} ${category}`, row);
      if (showsFailures)
        for (const [position, { label }] of contenders.entries())
          printFailures(label, row[position] ?? [], print);
    }
    printRow(`${set} in all`, ofSet, true);
  }
  for (const { label, isModel } of contenders)
    if (isModel) for (const line of describeCost(label, all.get(label) ?? [], options.prices)) print(line);
  return all;
}

async function evaluateAll(
  evaluate: Evaluate,
  conversations: readonly EvalConversation[],
): Promise<readonly EvalOutcome[]> {
  const outcomes: EvalOutcome[] = [];
  for (const conversation of conversations) outcomes.push(await evaluate(conversation));
  return outcomes;
}

function printFailures(label: string, outcomes: readonly EvalOutcome[], print: (line: string) => void): void {
  for (const { conversation, answer, problems } of outcomes) {
    if (problems.length === 0) continue;
    print(`  ${label}: ${conversation.say.join(' / ')}`);
    print(`    ${problems.join('; ')}`);
    print(`    ${answer.replaceAll('\n', ' ').slice(0, 220)}`);
  }
}

const MILLION = 1_000_000;

/** What the last turns of all conversations took, and cost. */
function describeCost(
  label: string,
  outcomes: readonly EvalOutcome[],
  prices: Prices | null,
): readonly string[] {
  const trials = outcomes.flatMap(({ trial }) => (trial === null ? [] : [trial]));
  const tokensOf = (name: string): number =>
    trials
      .flatMap(({ actions }) => actions)
      .reduce(
        (sum, action) => sum + (action.type === 'metric' && action.name === name ? Number(action.value) : 0),
        0,
      );
  // Emergencies and the wish for a person are answered without the model.
  const asked = trials.filter(({ actions }) =>
    actions.some((action) => action.type === 'metric' && action.name.startsWith('llm_')),
  );
  const [prompt, answer] = [tokensOf('llm_prompt_tokens'), tokensOf('llm_answer_tokens')];
  const seconds = (values: readonly number[]): string =>
    `half within ${at(values, 0.5)} s, 9 of 10 within ${at(values, 0.9)} s`;
  const cost = prices === null ? null : (prompt * prices.prompt + answer * prices.answer) / MILLION;
  return [
    '',
    `${label}: ${asked.length} of ${outcomes.length} last turns asked the model`,
    `  first word  ${seconds(asked.flatMap(({ firstWordMs }) => firstWordMs ?? []))}`,
    `  answer      ${seconds(asked.map(({ answerMs }) => answerMs))}`,
    prompt + answer === 0
      ? '  tokens      the endpoint does not count them'
      : `  tokens      ${prompt} in prompts, ${answer} in answers`,
    ...(cost === null
      ? []
      : [
          `  cost        ${cost.toFixed(4)}, or ${((1_000 * cost) / Math.max(1, asked.length)).toFixed(2)} per 1,000 turns`,
        ]),
  ];
}

function at(values: readonly number[], share: number): string {
  const sorted = values.toSorted((one, other) => one - other);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return (value / 1_000).toFixed(2);
}
