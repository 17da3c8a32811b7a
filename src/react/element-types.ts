import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { NatterChatAttributes, NatterChatElement } from '../embed/index.ts';

/** Properties of `<natter-chat>` in JSX: its own attributes, and every element's. */
export type NatterChatElementProps = DetailedHTMLProps<HTMLAttributes<NatterChatElement>, NatterChatElement> &
  NatterChatAttributes;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'natter-chat': NatterChatElementProps;
    }
  }
}

// Types of React 18 before 18.2.6 only have the global namespace.
declare global {
  namespace JSX {
    interface IntrinsicElements {
      'natter-chat': NatterChatElementProps;
    }
  }
}
