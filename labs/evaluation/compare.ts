import type { EvalOutcome, Evaluate } from '../../server-platform/src/agents/evaluation/evaluate.ts';
import type {
  EvalConversation,
  EvalConversations,
} from '../../server-platform/src/agents/evaluation/load-conversations.ts';
import type { ModelPrices } from '../../server-platform/src/agents/llm/llm-agent-config.ts';
import { costOf } from '../../server-platform/src/agents/llm/model-guard.ts';

/** An agent that is compared with others. */
export interface Contender {
  readonly label: string;
  readonly evaluate: Evaluate;
  /** Whether it is a model, whose time and tokens are printed. */
  readonly isModel: boolean;
}

/** Settings and output of the comparison. */
export interface ComparisonOptions {
  /** One category alone. */
  readonly only?: string | undefined;
  /** Whether answers that did not pass are printed. */
  readonly showsFailures: boolean;
  readonly prices: ModelPrices | null;
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
  if (contenders.length > 1) print(`\n${describeDifference(all)}`);
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

/** The kinds of problems, by how their descriptions begin; the rest is `other`. */
const KINDS: readonly (readonly [kind: string, begins: RegExp])[] = [
  ['no answer', /^(?:failed|left it|says nothing)/],
  ['facts', /^(?:lacks|holds)/],
  ['sources', /^has a card/],
  ['language', /^answers in/],
  ['refusal', /^does not say/],
  ['person', /^(?:hands over|offers a person)/],
];

/** Why conversations were not passed, by the first kind that each has; and what an endpoint said that failed. */
function describeProblems(outcomes: readonly EvalOutcome[]): readonly string[] {
  const kinds = outcomes.flatMap(({ problems }) =>
    problems.length === 0
      ? []
      : [KINDS.find(([, begins]) => problems.some((each) => begins.test(each)))?.[0] ?? 'other'],
  );
  const failures = outcomes.flatMap(({ problems }) => problems.filter((each) => each.startsWith('failed: ')));
  const tally = countEach(kinds).map(([kind, count]) => `${count} ${kind}`);
  return [
    ...(tally.length === 0 ? [] : [`  not passed  ${tally.join(', ')}`]),
    ...countEach(failures).map(([message, count]) => `  ${count} ${message}`),
  ];
}

/** Each text with how often it is there, the most frequent first. */
function countEach(texts: readonly string[]): readonly (readonly [text: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one);
}

/** How many conversations each agent passes that none of the others does. */
function describeDifference(all: ReadonlyMap<string, readonly EvalOutcome[]>): string {
  const labels = [...all.keys()];
  const alone = labels.map((label) => {
    const others = labels.filter((each) => each !== label);
    const passes = (each: string, position: number): boolean =>
      all.get(each)?.[position]?.problems.length === 0;
    const count = (all.get(label) ?? []).filter(
      (_, position) => passes(label, position) && !others.some((each) => passes(each, position)),
    ).length;
    return `${count} by ${label} alone`;
  });
  return `passed: ${alone.join(', ')}`;
}

/** Time and cost of all turns of a model. */
function describeCost(
  label: string,
  outcomes: readonly EvalOutcome[],
  prices: ModelPrices | null,
): readonly string[] {
  const turns = outcomes.flatMap(({ trial }) => trial?.turns ?? []);
  const tokensOf = (name: string): number =>
    turns
      .flatMap(({ actions }) => actions)
      .reduce(
        (sum, action) => sum + (action.type === 'metric' && action.name === name ? Number(action.value) : 0),
        0,
      );
  // Emergencies and the wish for a person are answered without the model.
  const asked = turns.filter(({ actions }) => {
    const metrics = actions.flatMap((action) => (action.type === 'metric' ? [action.name] : []));
    return metrics.some((name) => name.startsWith('llm_')) && !metrics.includes('llm_stand_in');
  });
  const usage = {
    prompt: tokensOf('llm_prompt_tokens'),
    cached: tokensOf('llm_cached_tokens'),
    answer: tokensOf('llm_answer_tokens'),
  };
  const seconds = (values: readonly number[]): string =>
    `half within ${at(values, 0.5)} s, 9 of 10 within ${at(values, 0.9)} s`;
  const cached = usage.cached === 0 ? '' : ` (${usage.cached} from the cache)`;
  const cost = costOf(usage, prices);
  return [
    '',
    `${label}: answered ${asked.length} of ${turns.length} turns`,
    ...describeProblems(outcomes),
    ...(asked.length === 0
      ? []
      : [
          `  first word  ${seconds(asked.flatMap(({ firstWordMs }) => firstWordMs ?? []))}`,
          `  answer      ${seconds(asked.map(({ answerMs }) => answerMs))}`,
        ]),
    usage.prompt + usage.answer === 0
      ? '  tokens      the endpoint does not count them'
      : `  tokens      ${usage.prompt} in prompts${cached}, ${usage.answer} in answers`,
    ...(prices === null
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
