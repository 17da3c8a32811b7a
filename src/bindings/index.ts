// Shared by the hooks and composables of all frameworks, without depending on any of them.
export type { ChatValues } from './chat-values.ts';
export { type Composer, type ComposerActions, createComposerActions } from './composer.ts';
export { type ChatHooks, createHooks } from './create-hooks.ts';
export { readText } from './read-text.ts';
export { requireClient } from './require-client.ts';
export { selectIsOver, selectMessages, selectText } from './select-values.ts';
