import { retryImport } from '../../client/index.ts';
import type { EmitWidgetEvent } from '../options.ts';
import { createLazyPart, type LazyPart } from './lazy-part.ts';
import type { LazyParts } from './panel-model.ts';

/** The lazy parts of one panel. `adopt` adds a part's style sheet when its code has loaded. */
export function createLazyParts(adopt: (css: string) => void, emit: EmitWidgetEvent): LazyParts {
  const onFailure = (cause: unknown): void =>
    emit('error', { code: 'PART_NOT_LOADED', message: `Part of the chat did not load. ${cause}` });

  const lazy = <Code extends { readonly css?: string; readonly [name: string]: unknown }>(
    load: () => Promise<Code>,
  ): LazyPart<Code> =>
    createLazyPart(async () => {
      const code = await retryImport(load);
      if (code.css) adopt(code.css);
      return code;
    }, onFailure);

  return {
    menu: lazy(() => import('../menu/index.ts')),
    cards: lazy(() => import('../cards/index.ts')),
    notices: lazy(() => import('../notices/index.ts')),
    ended: lazy(() => import('../ended/index.ts')),
    feedback: lazy(() => import('../feedback/index.ts')),
    contact: lazy(() => import('../contact/index.ts')),
    hours: lazy(() => import('../hours/index.ts')),
    survey: lazy(() => import('../survey/index.ts')),
    save: lazy(() => import('../save/index.ts')),
    notifications: lazy(() => import('../notifications/index.ts')),
    privacy: lazy(() => import('../privacy/index.ts')),
    home: lazy(() => import('../home/index.ts')),
    tools: lazy(() => import('../tools/index.ts')),
    history: lazy(() => import('../history/index.ts')),
  };
}
