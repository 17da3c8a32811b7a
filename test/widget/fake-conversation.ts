import { createCommands } from '../../src/embed/commands.ts';
import type { Conversation } from '../../src/embed/conversation/conversation.ts';
import type { LoadConversation } from '../../src/embed/create-widget.ts';
import type { WidgetEmitter } from '../../src/embed/widget-events.ts';

interface Parts {
  readonly button: HTMLButtonElement;
  readonly emitter: WidgetEmitter;
}

/** The lazily loaded conversation, scripted: every load waits for the test. */
export interface FakeLoader {
  readonly load: LoadConversation;
  countLoads(): number;
  /** Calls of all conversations, in order. */
  readonly commands: readonly string[];
  /** The arguments of the last conversation. */
  getParts(): Parts;
  succeed(): void;
  fail(): void;
}

interface Answer {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

function awaitAnswer(): Answer {
  let resolve = (): void => undefined;
  let reject = (_error: Error): void => undefined;
  const promise = new Promise<void>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** Creates a loader. With `isReady` it loads at once. */
export function createFakeLoader(isReady = false): FakeLoader {
  let loads = 0;
  const commands: string[] = [];
  let waiting = awaitAnswer();
  let parts: Parts | null = null;

  const createConversation = (
    root: ShadowRoot,
    button: HTMLButtonElement,
    emitter: WidgetEmitter,
  ): Conversation => {
    parts = { button, emitter };
    const sheet = new CSSStyleSheet();
    root.adoptedStyleSheets.push(sheet);
    const frame = document.createElement('div');
    frame.className = 'frame';
    root.append(frame);
    let isOpen = false;
    const setOpen = (next: boolean): void => {
      isOpen = next;
      button.ariaExpanded = String(next);
    };
    return {
      get isOpen() {
        return isOpen;
      },
      unread: 2,
      hasStarted: false,
      agentName: undefined,
      ...createCommands(
        async ({ name, values: [argument] }) => {
          const written = name === 'toggle' ? undefined : JSON.stringify(argument);
          commands.push(written === undefined ? name : `${name} ${written}`);
          if (name === 'open' || name === 'close') setOpen(name === 'open');
          if (name === 'toggle') setOpen(argument === true || !isOpen);
          return name === 'send' ? { status: 'accepted', localId: argument } : { findings: [], text: '' };
        },
        async (changes) => void commands.push(`update ${JSON.stringify(changes)}`),
      ),
      resume: async () => void commands.push('resume'),
      remake: async () => void commands.push('remake'),
      destroy: () => {
        commands.push('destroy');
        frame.remove();
      },
    };
  };

  return {
    load: async () => {
      loads += 1;
      if (!isReady) await waiting.promise;
      return createConversation;
    },
    countLoads: () => loads,
    commands,
    getParts() {
      if (!parts) throw new Error('No conversation was made yet.');
      return parts;
    },
    succeed: () => waiting.resolve(),
    fail: () => {
      waiting.reject(new TypeError('Failed to fetch dynamically imported module'));
      waiting = awaitAnswer();
    },
  };
}
