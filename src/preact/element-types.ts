import type { HTMLAttributes } from 'preact';
import type { NatterChatAttributes, NatterChatElement } from '../embed/index.ts';

/** Properties of `<natter-chat>` in JSX: its own attributes, and every element's. */
export type NatterChatElementProps = HTMLAttributes<NatterChatElement> & NatterChatAttributes;

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'natter-chat': NatterChatElementProps;
    }
  }
}
