import type { DefineComponent, HTMLAttributes } from 'vue';
import type { NatterChatAttributes } from '../embed/index.ts';

/** Properties of `<natter-chat>` in templates: its own attributes, and every element's. */
export type NatterChatElementProps = HTMLAttributes & NatterChatAttributes;

declare module 'vue' {
  interface GlobalComponents {
    'natter-chat': DefineComponent<NatterChatElementProps>;
  }
}
