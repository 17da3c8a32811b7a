import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { contrast } from '../../../test/widget/contrast.ts';
import { type MountedPanel, mountPanel } from '../../../test/widget/mount-panel.ts';
import bloom from '../themes/bloom.css?inline';
import desk from '../themes/desk.css?inline';
import harbour from '../themes/harbour.css?inline';
import ink from '../themes/ink.css?inline';
import paper from '../themes/paper.css?inline';

// look.md: text at least 4.5:1, rings and edges of controls at least 3:1, with any accent colour.
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
  'rgb(11 110 117 / 0.3)',
  'transparent',
];
const READY = { bloom, desk, harbour, ink, paper };
const THEMES = ['light', 'dark'] as const;

let view: MountedPanel;

/** Shows a panel with every element that has a colour. */
async function showEverything(theme: (typeof THEMES)[number]): Promise<void> {
  view = mountPanel({ theme });
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
  await vi.waitFor(() => view.find('.rich code'));
  view.panel.open(true);
  await vi.waitFor(() => expect(view.root.activeElement).toBe(view.find('.field')));
  // Without transitions, because colours are read right after they were changed.
  view.root.adoptedStyleSheets.push(sheetOf('* { transition: none !important; }'));
}

function sheetOf(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}

/** Lists the texts and edges with too little contrast. */
function findPale(): readonly string[] {
  const style = (selector: string, pseudo?: string) => getComputedStyle(view.find(selector), pseudo);
  const surface = style('.panel').backgroundColor;
  const last = style('.message:last-child .bubble');
  const failed = style('.failed .bubble');
  const pairs: Record<string, readonly [string, string, number]> = {
    text: [style('.panel').color, surface, 7],
    secondary: [style('.who-role').color, surface, 4.5],
    link: [style('.rich a').color, surface, 4.5],
    source: [style('.source').color, style('.source').backgroundColor, 4.5],
    code: [style('.rich code').color, style('.rich code').backgroundColor, 4.5],
    suggestion: [style('.suggestion').color, surface, 4.5],
    avatar: [style('.avatar').color, style('.avatar').backgroundColor, 4.5],
    bubble: [last.color, last.backgroundColor, 4.5],
    failed: [failed.color, failed.backgroundColor, 4.5],
    failure: [style('.delivery.danger').color, surface, 4.5],
    placeholder: [style('.field', '::placeholder').color, style('.composer').backgroundColor, 4.5],
    'field with the focus': [style('.composer').borderBlockStartColor, surface, 3],
  };
  return Object.entries(pairs)
    .filter(([, [one, other, least]]) => contrast(one, other) < least)
    .map(([name, [one, other]]) => `${name}: ${one} on ${other} is ${contrast(one, other).toFixed(2)}:1`);
}

describe.each(THEMES)('the %s palette', (theme) => {
  let sheets: readonly CSSStyleSheet[];
  beforeAll(async () => {
    await showEverything(theme);
    sheets = [...view.root.adoptedStyleSheets];
  });
  afterEach(() => {
    view.root.adoptedStyleSheets = [...sheets];
    for (const name of ['--natter-accent', '--natter-neutral']) view.host.style.removeProperty(name);
  });
  afterAll(() => view.destroy());

  it.each(ACCENTS)(`is legible in the ${theme} palette with the accent %s`, (accent) => {
    view.host.style.setProperty('--natter-accent', accent);
    expect(findPale()).toEqual([]);
  });

  it.each(Object.keys(READY) as (keyof typeof READY)[])(
    `is legible in the ${theme} palette of the theme %s`,
    (name) => {
      view.root.adoptedStyleSheets.push(sheetOf(READY[name].replace('natter-chat', ':host')));
      expect(getComputedStyle(view.host).getPropertyValue('--natter-accent')).not.toBe('');
      expect(findPale()).toEqual([]);
    },
  );

  it(`is legible in the ${theme} palette with any accent that a screen can show`, () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(byte, byte, byte, (red, green, blue) => {
        view.host.style.setProperty('--natter-accent', `rgb(${red} ${green} ${blue})`);
        expect(findPale()).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it(`is legible in the ${theme} palette with any valid accent, and with greys of any hue`, () => {
    const color = fc
      .tuple(
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ max: 359, min: 0 }),
      )
      .map(([lightness, chroma, hue]) => `oklch(${lightness}% ${chroma / 100} ${hue})`);
    const neutral = fc
      .tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 359 }))
      .map(([chroma, hue]) => `oklch(50% ${chroma / 1000} ${hue})`);
    fc.assert(
      fc.property(color, neutral, (accent, grey) => {
        view.host.style.setProperty('--natter-accent', accent);
        view.host.style.setProperty('--natter-neutral', grey);
        expect(findPale()).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
