import { retryImport } from '../client/index.ts';
import type { EmitWidgetEvent } from './options.ts';
import type { Parts } from './panel-model.ts';
import { createPart, type Part } from './part.ts';

/** The late parts of one panel. `adopt` adds a part's style sheet when its code has loaded. */
export function createParts(adopt: (css: string) => void, emit: EmitWidgetEvent): Parts {
  const onFailure = (cause: unknown): void =>
    emit('error', { code: 'PART_NOT_LOADED', message: `Part of the chat did not load. ${cause}` });

  const part = <Code extends { readonly css?: string; readonly [name: string]: unknown }>(
    load: () => Promise<Code>,
  ): Part<Code> =>
    createPart(async () => {
      const code = await retryImport(load);
      if (code.css) adopt(code.css);
      return code;
    }, onFailure);

  return {
    menu: part(() => import('./menu/index.ts')),
    cards: part(() => import('./cards/index.ts')),
    notices: part(() => import('./notices/index.ts')),
    ended: part(() => import('./ended/index.ts')),
    survey: part(() => import('./survey/index.ts')),
    save: part(() => import('./save/index.ts')),
    attention: part(() => import('./attention/index.ts')),
    reading: part(() => import('./reading/index.ts')),
  };
}
