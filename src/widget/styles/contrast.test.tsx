import { afterEach, describe, expect, it, vi } from 'vitest';
import { type MountedPanel, mountPanel } from '../testing/mount-panel.ts';

// look.md: text at least 4.5:1, rings and edges of controls at least 3:1, whatever accent a company has.
const ACCENTS = [
  '#0b6e75',
  '#ffd400',
  '#e6007a',
  '#00a651',
  '#0000ff',
  '#ff0000',
  '#808080',
  'black',
  'white',
];
const THEMES = ['light', 'dark'] as const;

let view: MountedPanel;
afterEach(() => view.destroy());

/** Relative luminance of a CSS colour, as the browser paints it. */
function luminance(color: string): number {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!canvas) throw new Error('This browser has no canvas to read colours with.');
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const channels = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((byte) => {
    const value = byte / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const [red = 0, green = 0, blue = 0] = channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

describe.each(THEMES)('the %s palette', (theme) => {
  it.each(ACCENTS)('can be read with the accent %s', async (accent) => {
    view = mountPanel({ theme });
    view.host.style.setProperty('--natter-accent', accent);
    view.chat.says('A [link](https://x.example) and `code`', {
      attachments: [
        {
          kind: 'url',
          contentUrl: 'https://x.example',
          title: 'Source',
          previewImageUrl: null,
          callToActionText: null,
        },
      ],
    });
    view.chat.asks('Question', { status: 'failed', reason: 'no_answer', isRetryable: true });
    view.chat.asks('Question');
    view.chat.suggestions.value = [{ text: 'Yes' }];
    await vi.waitFor(() => expect(view.all('.suggestion, .bubble')).toHaveLength(3));
    const style = (selector: string) => getComputedStyle(view.find(selector));
    const surface = style('.panel').backgroundColor;
    const pairs: Record<string, readonly [string, string, number]> = {
      text: [style('.panel').color, surface, 7],
      secondary: [style('.who-role').color, surface, 4.5],
      link: [style('.rich a').color, surface, 4.5],
      source: [style('.source').color, style('.source').backgroundColor, 4.5],
      code: [style('.rich code').color, style('.rich code').backgroundColor, 4.5],
      suggestion: [style('.suggestion').color, surface, 4.5],
      face: [style('.face').color, style('.face').backgroundColor, 4.5],
      bubble: [
        style('.message:last-child .bubble').color,
        style('.message:last-child .bubble').backgroundColor,
        4.5,
      ],
      failure: [style('.delivery.danger').color, surface, 4.5],
      field: [style('.composer').borderBlockStartColor, surface, 3],
    };
    for (const [name, [one, other, least]] of Object.entries(pairs)) {
      expect(contrast(one, other), `${name}: ${one} on ${other}`).toBeGreaterThanOrEqual(least);
    }
  });
});
