import { setImmediate } from 'node:timers/promises';
import type * as v from 'valibot';
import {
  converse,
  createEvaluation,
  explainAnswer,
  isAgentError,
  loadConversations,
  textOf,
} from '../../agents/index.ts';
import { addRun, type EvaluationRun, findRun } from '../../agents/projects/index.ts';
import { type EvaluationFailure, storableText } from '../../db/index.ts';
import { followRights, whileAllowed } from '../../desk/index.ts';
import { DeskError, HEAVY_COST } from '../../staff/index.ts';
import { type ConsoleCall, type ConsoleRoute, consoleRoute } from '../console-call.ts';
import {
  type AgentQuery,
  agentQuery,
  answerBody,
  evaluationBody,
  evaluationView,
  trialView,
} from './knowledge-schemas.ts';
import { readDraft, requireScope } from './knowledge-scope.ts';

/** A run as the console shows it. */
export const viewRun = ({ id, draftSlug, author, createdAtMs, total, passed }: EvaluationRun) => ({
  ...{ id, by: author, draft_slug: draftSlug, total, passed },
  at: new Date(createdAtMs).toISOString(),
});

async function answer(call: ConsoleCall<v.InferOutput<typeof answerBody>, AgentQuery>) {
  const { body, server } = call;
  const { questions, language } = body;
  const scope = await requireScope(call);
  const articles = server.projectAgents.articlesOf(scope, readDraft(body.draft, scope.source));
  const { agent, index, translations } = await scope.source.build(articles);
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(server.timeouts.agentTurnMs)]);
  const startedAt = performance.now();
  const trial = await converse(agent, questions, { language, signal }).catch((error: unknown) => {
    if (!isAgentError(error) && !signal.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DeskError(502, 'AGENT_FAILED', `The agent could not answer: ${reason}`);
  });
  const { actions, stateBefore } = trial;
  const text = textOf(actions);
  const own = await translations.get(trial.language.slice(0, 2).toLowerCase())?.();
  const asked = own ?? index;
  const explained = asked === null ? null : explainAnswer(asked, questions.at(-1) ?? '', stateBefore);
  return {
    text,
    intent: actions.find((action) => action.type === 'intent')?.name ?? null,
    hands_off: actions.some(({ type }) => type === 'handoff'),
    suggestions: actions.flatMap((action) =>
      action.type === 'suggestions' ? action.suggestions.map(({ message_text }) => message_text) : [],
    ),
    sources: actions.flatMap((action) =>
      action.type === 'attachment'
        ? [{ title: action.attachment.title, url: action.attachment.content_url }]
        : [],
    ),
    milliseconds: Math.round(performance.now() - startedAt),
    certainty: explained?.certainty ?? null,
    articles: explained?.articles ?? [],
    passages: (explained?.passages ?? []).map((passage) => ({
      ...passage,
      is_said: text.includes(passage.text),
    })),
  };
}

/** Progress is reported after this many conversations, or at once where each takes long. */
const STEP_MS = 150;

async function* evaluate(
  call: ConsoleCall<v.InferOutput<typeof evaluationBody>, AgentQuery>,
  scope: Awaited<ReturnType<typeof requireScope>>,
  signal: AbortSignal,
): AsyncGenerator<object, void, undefined> {
  const { server, person, body } = call;
  const { knowledgeFolder } = scope.source.config;
  const conversations = knowledgeFolder === null ? [] : [...(await loadConversations(knowledgeFolder))];
  const all = conversations.flatMap(([category, list]) => list.map((each) => ({ category, each })));
  const run = createEvaluation(
    scope.source,
    server.projectAgents.articlesOf(scope, readDraft(body.draft, scope.source)),
  );
  const failures: EvaluationFailure[] = [];
  let toldAt = 0;
  for (const [done, { category, each }] of all.entries()) {
    if (performance.now() - toldAt > STEP_MS) {
      toldAt = performance.now();
      yield { type: 'progress', done, total: all.length, failed: failures.length };
    }
    const { answer, problems } = await run(each, signal);
    if (problems.length > 0)
      failures.push({ category, say: each.say, answer: storableText(answer), problems });
    // Visitors come first.
    await setImmediate();
    signal.throwIfAborted();
  }
  const id = await addRun(server.database, scope, {
    draftSlug: body.draft?.slug ?? null,
    author: person.email,
    createdAtMs: server.clock.now(),
    total: all.length,
    passed: all.length - failures.length,
    failures,
  });
  yield { type: 'done', id };
}

async function startEvaluation(
  call: ConsoleCall<v.InferOutput<typeof evaluationBody>, AgentQuery>,
): Promise<Response> {
  const { personCalls, onFailure } = call.server;
  const scope = await requireScope(call);
  // Faults of a draft are reported before the response streams.
  readDraft(call.body.draft, scope.source);
  const end = personCalls.beginLong(call.person.id);
  const gone = new AbortController();
  const signal = AbortSignal.any([call.signal, gone.signal]);
  const steps = evaluate(call, scope, signal);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const write = (line: object): void => controller.enqueue(encoder.encode(`${JSON.stringify(line)}\n`));
      try {
        const { done, value } = await steps.next();
        if (!done) return write(value);
      } catch (error) {
        if (!signal.aborted) {
          onFailure('evaluate an agent', error, call.correlationId);
          write({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
        }
      }
      end();
      controller.close();
    },
    cancel() {
      gone.abort(new Error('The evaluation’s client has disconnected.'));
      end();
    },
  });
  const rights = followRights(call.server, { signIn: call.signIn, role: 'supervisor' });
  return whileAllowed(rights, new Response(body, { headers: { 'Content-Type': 'application/x-ndjson' } }));
}

const sameAs = ({ category, say }: Pick<EvaluationFailure, 'category' | 'say'>): string =>
  JSON.stringify([category, say]);

/** The calls that try an agent out. Nothing of a conversation is recorded. */
export const EVALUATION_ROUTES: readonly ConsoleRoute[] = [
  consoleRoute(
    {
      ...{ id: 'consoleAgentAnswer', method: 'POST', path: '/knowledge/answer', query: agentQuery },
      ...{ body: answerBody, answer: trialView, cost: HEAVY_COST },
      summary: "The agent's answer if `draft` replaced the article with its slug. Not recorded.",
    },
    answer,
  ),
  consoleRoute(
    {
      ...{ id: 'consoleEvaluate', method: 'POST', path: '/knowledge/evaluations', query: agentQuery },
      ...{ body: evaluationBody, streams: 'application/x-ndjson', cost: HEAVY_COST },
      summary:
        'Run the conversations of the folder `evaluation`. A line of JSON each: `progress` (done, total, failed), then `done` (id) or `failed` (message). It ends when the caller goes.',
    },
    startEvaluation,
  ),
  consoleRoute(
    {
      ...{ id: 'consoleEvaluation', method: 'GET', path: '/knowledge/evaluations/{id}', query: agentQuery },
      ...{ answer: evaluationView },
      summary: 'Failures of an evaluation, and changes since the previous one.',
    },
    async (call) => {
      const scope = await requireScope(call);
      const id = Number(call.params['id']);
      const found = Number.isSafeInteger(id) ? await findRun(call.server.database, scope, id) : null;
      if (found === null) throw new DeskError(404, 'NOT_FOUND', 'This evaluation no longer exists.');
      const { run, before } = found;
      const failing = new Set(run.failures.map(sameAs));
      const failed = new Set(before?.failures.map(sameAs));
      return {
        run: viewRun(run),
        before: before === null ? null : viewRun(before),
        failures: run.failures.map((each) => ({
          ...each,
          is_new: before === null ? null : !failed.has(sameAs(each)),
        })),
        fixed: (before?.failures ?? [])
          .filter((each) => !failing.has(sameAs(each)))
          .map(({ category, say }) => ({ category, say })),
      };
    },
  ),
];
