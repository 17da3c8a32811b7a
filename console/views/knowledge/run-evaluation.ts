import { signal } from '@preact/signals';
import { fetchPlatform } from '../../call-platform.ts';
import { onSignedOut } from '../../session.ts';
import type { Draft } from './knowledge-types.ts';
import { refreshKnowledge, type Scope } from './scope.ts';

/** Progress of the evaluation that this page has started. */
export interface Progress {
  /** Of the agent that is evaluated. */
  readonly key: string;
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

type Line =
  | ({ readonly type: 'progress' } & Omit<Progress, 'key'>)
  | { readonly type: 'done'; readonly id: number }
  | { readonly type: 'failed'; readonly message: string };

/** The evaluation under way; null: none. It continues while other views are open. */
export const running = signal<Progress | null>(null);

/** The evaluation that this page has finished last. */
export const finished = signal<{ readonly key: string; readonly id: number } | null>(null);

let controller = new AbortController();
onSignedOut(() => controller.abort());

/** Ends the evaluation under way; nothing of it is kept. */
export function stopEvaluation(): void {
  controller.abort();
}

/**
 * Evaluates the agent, with a draft in place of the article of its name. Resolves with true when finished,
 * false when stopped. Rejects when it could not be made.
 */
export async function runEvaluation(scope: Scope, draft: Draft | null): Promise<boolean> {
  controller = new AbortController();
  running.value = { key: scope.key, done: 0, total: 0, failed: 0 };
  finished.value = null;
  try {
    const response = await fetchPlatform('POST', `/console/api${scope.pathOf('/evaluations')}`, {
      body: { draft },
      signal: controller.signal,
    });
    for await (const line of readLines(response)) {
      if (line.type === 'failed') throw new Error(line.message);
      if (line.type === 'progress') running.value = { ...line, key: scope.key };
      else {
        finished.value = { key: scope.key, id: line.id };
        await refreshKnowledge();
        return true;
      }
    }
    throw new Error('The evaluation broke off. Run it again.');
  } catch (error) {
    if (controller.signal.aborted) return false;
    throw error;
  } finally {
    running.value = null;
  }
}

async function* readLines({ body }: Response): AsyncGenerator<Line, void, undefined> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = `${rest}${value}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}
