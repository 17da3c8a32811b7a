import type { WidgetOptions } from './options.ts';

/** True for a chat that fills the window or its place in the page: it opens immediately and has no launcher. */
export const isAlwaysOpen = ({
  renderMode,
  platform,
}: {
  readonly [Name in keyof Pick<WidgetOptions, 'renderMode' | 'platform'>]?: string | undefined;
}): boolean => renderMode === 'fullscreen' || renderMode === 'inline' || platform === 'ios';
