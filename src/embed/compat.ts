import { readOwnGlobal } from '../widget/index.ts';
import type { NatterWidget } from './create-widget.ts';
import type { ContextHandler } from './index.ts';
import type { LauncherAnimation } from './launcher/animate-launcher.ts';

/** A bubble as pages of the reference widget may spell it. */
interface WebchatBubble {
  readonly text?: string;
  readonly message?: string;
  readonly delayMs?: number;
  readonly durationMs?: number;
  readonly duration?: number;
}

/** The documented calls of the reference service's widget. They return nothing. Source: messaging.md 18. */
export interface WebchatApi {
  /** Calls the handler when the widget is ready, or immediately if it already is. */
  onReady(handler: (api: WebchatApi) => void): void;
  /** Removes a handler of `onReady` that has not been called yet. */
  off(handler: (api: WebchatApi) => void): void;
  openWidget(): void;
  showIcon(): void;
  hideIcon(): void;
  showBubble(bubble: string | WebchatBubble): void;
  animateIcon(animation?: LauncherAnimation): void;
  /** Source: VCI-2. */
  onContextRequired(handler: ContextHandler): void;
  /** Source: VCI-2, VCI-8. */
  refreshVerifiedContext(): undefined;
  destroy(): void;
}

declare global {
  interface Window {
    WebchatAPI?: WebchatApi;
  }
}

const run = (done: Promise<unknown>): undefined => void done.catch(reportError);

type WebchatCommands = Omit<WebchatApi, 'onReady' | 'off' | 'destroy'>;

function createCommands(natter: NatterWidget): WebchatCommands {
  return {
    openWidget: () => run(natter.open()),
    showIcon: () => run(natter.showLauncher()),
    hideIcon: () => run(natter.hideLauncher()),
    showBubble(bubble) {
      const options = typeof bubble === 'string' ? { text: bubble } : bubble;
      const { text = options.message ?? '', durationMs = options.duration ?? 0, delayMs = 0 } = options;
      run(natter.showBubble({ text, durationMs, delayMs }));
    },
    animateIcon: (animation) => run(natter.animateLauncher(animation)),
    onContextRequired: (handler) => run(natter.onContextRequired(handler)),
    refreshVerifiedContext: () => run(natter.refreshVerifiedContext()),
  };
}

/**
 * Provides the reference widget's calls as `window.WebchatAPI`, unless another script has set that global. Returns a
 * function that removes it. A call that fails is reported as an error of the page.
 */
export function provideWebchatApi(natter: NatterWidget): () => void {
  if (readOwnGlobal('WebchatAPI')) return () => undefined;
  const waiting = new Set<(api: WebchatApi) => void>();
  const release = (): void => {
    waiting.clear();
    if (readOwnGlobal('WebchatAPI') === api) delete window.WebchatAPI;
  };
  const api: WebchatApi = {
    ...createCommands(natter),
    onReady(handler) {
      waiting.add(handler);
      queueMicrotask(() => {
        if (waiting.delete(handler)) handler(api);
      });
    },
    off: (handler) => void waiting.delete(handler),
    destroy() {
      release();
      run(natter.destroy());
    },
  };
  window.WebchatAPI = api;
  return release;
}
