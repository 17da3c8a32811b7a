/** The animation of the launcher. */
export interface LauncherAnimation {
  /** Default `pulse`. */
  readonly type?: 'bounce' | 'grow' | 'pulse';
  /** In milliseconds. Default 800. */
  readonly durationMs?: number;
}

const KEYFRAMES: Readonly<Record<string, PropertyIndexedKeyframes>> = {
  bounce: { translate: ['0', '0 -16px', '0', '0 -7px', '0'], easing: 'ease-in-out' },
  grow: { scale: ['1', '1.18', '1'], easing: 'ease-in-out' },
  pulse: {
    boxShadow: ['0 0 0 0 var(--_accent)', '0 0 0 16px transparent', '0 0 0 0 transparent'],
    scale: ['1', '1.06', '1'],
    easing: 'ease-out',
  },
};
const USUAL = 'pulse';
const USUAL_MS = 800;
/** A longer movement needs a way to stop it. Source: WCAG 2.2.2. */
const MAX_MS = 5_000;

/** Moves the button for a moment, unless the visitor asked for less motion. Unknown types count as the default. Source: messaging.md 18. */
export function animateLauncher(button: HTMLElement, animation: LauncherAnimation = {}): void {
  if (animation === null || typeof animation !== 'object')
    throw new TypeError('animateLauncher takes { type, durationMs }, or nothing.');
  const { type, durationMs } = animation;
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const keyframes = KEYFRAMES[type ?? USUAL] ?? KEYFRAMES[USUAL] ?? null;
  const wantedMs = Number(durationMs);
  const duration = wantedMs > 0 ? Math.min(wantedMs, MAX_MS) : USUAL_MS;
  // Only the latest animation runs.
  for (const running of button.getAnimations()) if (!(running instanceof CSSTransition)) running.cancel();
  button.animate(keyframes, { duration });
}
