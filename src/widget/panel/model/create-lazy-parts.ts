import { retryImport } from '../../../client/index.ts';
import type { EmitWidgetEvent } from '../../options.ts';
import { createLazyPart, type LazyPart } from './lazy-part.ts';
import type { LazyParts } from './panel-model.ts';

/** One `import()` per part, so that each is a separate chunk. */
const IMPORTS: { readonly [Name in keyof LazyParts]: () => Promise<CodeOf<LazyParts[Name]>> } = {
  menu: () => import('../../parts/menu/index.ts'),
  cards: () => import('../../parts/cards/index.ts'),
  markdown: () => import('../../markdown/index.ts'),
  notices: () => import('../../parts/notices/index.ts'),
  ended: () => import('../../parts/ended/index.ts'),
  feedback: () => import('../../parts/feedback/index.ts'),
  contact: () => import('../../parts/contact/index.ts'),
  hours: () => import('../../parts/hours/index.ts'),
  survey: () => import('../../parts/survey/index.ts'),
  save: () => import('../../parts/save/index.ts'),
  notifications: () => import('../../parts/notifications/index.ts'),
  privacy: () => import('../../parts/privacy/index.ts'),
  home: () => import('../../parts/home/index.ts'),
  tools: () => import('../../parts/tools/index.ts'),
  history: () => import('../../parts/history/index.ts'),
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
  // Each part has the code with its name, which the compiler does not follow through the list.
  return Object.fromEntries(parts);
}
