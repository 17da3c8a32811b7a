import { afterEach, expect, it, vi } from 'vitest';
import { animateLauncher } from './animate-launcher.ts';

const buttons: HTMLElement[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const button of buttons.splice(0)) button.remove();
});

function draw(): HTMLElement {
  const button = document.createElement('button');
  buttons.push(button);
  document.body.append(button);
  return button;
}

/** Animated properties, and the duration in milliseconds. */
const moving = (button: HTMLElement) =>
  button.getAnimations().map(({ effect }) => [
    Object.keys((effect as KeyframeEffect).getKeyframes()[0] ?? {})
      .filter((name) => ['translate', 'scale', 'boxShadow'].includes(name))
      .toSorted(),
    effect?.getTiming().duration,
  ]);

it.each([
  [{ type: 'bounce' }, ['translate'], 800],
  [{ type: 'grow', durationMs: 300 }, ['scale'], 300],
  [{ type: 'pulse' }, ['boxShadow', 'scale'], 800],
  [{}, ['boxShadow', 'scale'], 800],
  [undefined, ['boxShadow', 'scale'], 800],
  [{ type: 'wobble' }, ['boxShadow', 'scale'], 800],
  [{ type: 'bounce', durationMs: -1 }, ['translate'], 800],
  [{ type: 'bounce', durationMs: 60_000 }, ['translate'], 5_000],
] as const)('the animation %j changes %j of the launcher for %i ms', (animation, names, durationMs) => {
  const button = draw();
  animateLauncher(button, animation as Parameters<typeof animateLauncher>[1]);
  expect(moving(button)).toEqual([[names, durationMs]]);
});

it('pulses in the colour of the launcher', () => {
  const button = draw();
  button.style.setProperty('--_accent', 'teal');
  animateLauncher(button, { type: 'pulse', durationMs: 5_000 });
  for (const animation of button.getAnimations()) animation.currentTime = 1;
  expect(getComputedStyle(button).boxShadow).toMatch(/0, 12[78], 12[78]/);
});

it('stops the earlier movement of the launcher for the next', () => {
  const button = draw();
  animateLauncher(button, { type: 'bounce' });
  animateLauncher(button, { type: 'grow' });
  expect(moving(button)).toEqual([[['scale'], 800]]);
});

it('does not move the launcher for a visitor who asked for less motion', () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
  const button = draw();
  animateLauncher(button, { type: 'bounce' });
  expect(moving(button)).toEqual([]);
});

it.each([null, 'bounce', 800])('names the valid animations if it is called with %j', (animation) => {
  const given = animation as Parameters<typeof animateLauncher>[1];
  expect(() => animateLauncher(draw(), given)).toThrow('takes { type, durationMs }');
});
