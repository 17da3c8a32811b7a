import type { DefineComponent, HTMLAttributes } from 'vue';
import type { NatterChatAttributes } from '../embed/index.ts';

/** Properties of `<natter-chat>` in templates: its attributes, and those of every element. */
export type NatterChatElementProps = HTMLAttributes & NatterChatAttributes;

declare module 'vue' {
  interface GlobalComponents {
    'natter-chat': DefineComponent<NatterChatElementProps>;
  }
}
