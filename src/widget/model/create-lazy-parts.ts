import { retryImport } from '../../client/index.ts';
import type { EmitWidgetEvent } from '../options.ts';
import { createLazyPart, type LazyPart } from './lazy-part.ts';
import type { LazyParts } from './panel-model.ts';

/** One `import()` per part, so that each is a chunk of its own. */
const IMPORTS: { readonly [Name in keyof LazyParts]: () => Promise<CodeOf<LazyParts[Name]>> } = {
  menu: () => import('../menu/index.ts'),
  cards: () => import('../cards/index.ts'),
  markdown: () => import('../markdown/index.ts'),
  notices: () => import('../notices/index.ts'),
  ended: () => import('../ended/index.ts'),
  feedback: () => import('../feedback/index.ts'),
  contact: () => import('../contact/index.ts'),
  hours: () => import('../hours/index.ts'),
  survey: () => import('../survey/index.ts'),
  save: () => import('../save/index.ts'),
  notifications: () => import('../notifications/index.ts'),
  privacy: () => import('../privacy/index.ts'),
  home: () => import('../home/index.ts'),
  tools: () => import('../tools/index.ts'),
  history: () => import('../history/index.ts'),
};

type CodeOf<Part> = Part extends LazyPart<infer Code> ? Code : never;

interface PartCode {
  readonly css?: string;
  readonly [name: string]: unknown;
}

/** The lazy parts of one panel. `adopt` adds a part's style sheet when its code has loaded. */
export function createLazyParts(adopt: (css: string) => void, emit: EmitWidgetEvent): LazyParts {
  const onFailure = (cause: unknown): void =>
    emit('error', { code: 'PART_NOT_LOADED', message: `Part of the chat did not load. ${cause}` });
  const create = (load: () => Promise<PartCode>): LazyPart<object> =>
    createLazyPart(async () => {
      const code = await retryImport(load);
      if (code.css) adopt(code.css);
      return code;
    }, onFailure);
  const parts = Object.entries(IMPORTS).map(([name, load]) => [name, create(load)]);
  // Each part has the code of its own name, which the compiler does not follow through the list.
  return Object.fromEntries(parts);
}
