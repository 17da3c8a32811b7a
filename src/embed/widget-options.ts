import type { WidgetOptions } from '../widget/index.ts';

export type { WidgetOptions } from '../widget/index.ts';

/** Options with what follows from them filled in. */
export type CompleteOptions = WidgetOptions &
  Required<Pick<WidgetOptions, 'renderMode' | 'showLauncher' | 'showHeader' | 'allowInsecure'>>;

/**
 * Fills in what follows from the options: a native web view on iOS fills the screen and has no header
 * (messaging.md 18), and an endpoint that is written with a plain scheme is meant to be one; the client accepts
 * it on loopback hosts only (H-3).
 */
export function completeOptions(options: WidgetOptions): CompleteOptions {
  const isIos = options.platform === 'ios';
  const renderMode = isIos ? 'fullscreen' : (options.renderMode ?? 'default');
  return {
    ...options,
    renderMode,
    showLauncher: renderMode !== 'fullscreen' && (options.showLauncher ?? true),
    showHeader: options.showHeader ?? !isIos,
    allowInsecure: options.allowInsecure ?? options.endpoint.startsWith('http:'),
  };
}
