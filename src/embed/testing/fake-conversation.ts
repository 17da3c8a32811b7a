import type { Conversation } from '../conversation.ts';
import type { LoadConversation } from '../create-widget.ts';
import type { WidgetEmitter } from '../widget-events.ts';

interface Parts {
  readonly button: HTMLButtonElement;
  readonly emitter: WidgetEmitter;
}

/** The part that loads late, scripted: every load waits until the test answers it. */
export interface FakeLoader {
  readonly load: LoadConversation;
  countLoads(): number;
  /** What every conversation was told, in order. */
  readonly commands: readonly string[];
  /** What the last conversation was given. */
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

/** Makes a loader; one that `isReady` answers at once. */
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
      open: async () => {
        commands.push('open');
        setOpen(true);
      },
      close: async () => {
        commands.push('close');
        setOpen(false);
      },
      toggle: async (mustOpen) => {
        commands.push('toggle');
        setOpen(mustOpen === true || !isOpen);
      },
      resume: async () => void commands.push('resume'),
      send: async (text) => {
        commands.push(`send ${text}`);
        return { status: 'accepted', localId: text };
      },
      endChat: async () => void commands.push('endChat'),
      newChat: async () => void commands.push('newChat'),
      logout: async () => void commands.push('logout'),
      identify: async (user) => void commands.push(`identify ${user?.id}`),
      setContext: async (facts) => void commands.push(`setContext ${JSON.stringify(facts)}`),
      onContextRequired: async () => void commands.push('onContextRequired'),
      refreshVerifiedContext: async () => void commands.push('refreshVerifiedContext'),
      prefill: async (text) => void commands.push(`prefill ${text}`),
      update: async (changes) => void commands.push(`update ${JSON.stringify(changes)}`),
      setTheme: async (theme) => void commands.push(`setTheme ${theme}`),
      setLanguage: async (tag) => void commands.push(`setLanguage ${tag}`),
      showBubble: async (bubble) => void commands.push(`showBubble ${JSON.stringify(bubble)}`),
      animateLauncher: async () => void commands.push('animateLauncher'),
      doctor: async () => {
        commands.push('doctor');
        return { findings: [], text: '' };
      },
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
